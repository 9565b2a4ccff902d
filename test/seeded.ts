import fc from "fast-check";

import { testSeed } from "./seed.ts";

// Before each file: its random cases begin at the same place in every run, so that only a change makes a test red.
fc.configureGlobal({ seed: testSeed() });
