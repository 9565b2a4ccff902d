/** What we use of the toolkit, by name: the bundle leaves out the rest. */
export { setOutput, setSecret, warning } from "@actions/core";
