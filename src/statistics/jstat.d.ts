/** The few functions of jstat that we use; the package brings no types. */
declare module "jstat" {
  const jstat: {
    readonly studentt: {
      inv(probability: number, degreesOfFreedom: number): number;
      cdf(value: number, degreesOfFreedom: number): number;
    };
    readonly centralF: { inv(probability: number, degrees1: number, degrees2: number): number };
    readonly chisquare: { inv(probability: number, degreesOfFreedom: number): number };
    readonly normal: { inv(probability: number, mean: number, deviation: number): number };
    erfc(value: number): number;
  };
  export default jstat;
}
