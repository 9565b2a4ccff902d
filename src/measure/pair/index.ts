export { canLiveSideBySide, measureAgedPair, withKnownEffect } from "./aged-pair.ts";
export { answersOf, tryEndpoints } from "./dry-request.ts";
export { type LoadingPorts, putLoad } from "./load.ts";
export { measureRounds } from "./rounds.ts";
export {
  type RunningArm,
  type RunningArmOptions,
  type RunningArms,
  runningArmOf,
  type ServerPorts,
  targetOf,
  withRunningArms,
} from "./running-arms.ts";
export { startingAgain, startingOnce } from "./starts.ts";
export { measureAlone } from "./whole-loads.ts";
