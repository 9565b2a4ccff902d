// Loaded before a program: its wall clock jumps after some time, as when a machine's clock is set. The steady clock,
// from which durations are taken, does not.
const [after, jump] = (process.env.CHAOS_CLOCK ?? "0 0").split(" ").map(Number);
const RealDate = Date;
const now = () => RealDate.now() + (performance.now() > after ? jump : 0);
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }
  static now() {
    return now();
  }
};
