/** The few functions of jstat that we use; the package brings no types. */
declare module "jstat" {
  const jstat: {
    readonly studentt: { inv(probability: number, degreesOfFreedom: number): number };
  };
  export default jstat;
}
