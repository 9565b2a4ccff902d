/** An object that a server can serve. */
export interface FoundApp {
  /** e.g. `app.main:app`; a function that makes the app ends with `()`. */
  readonly importString: string;
  /** Folder to start it in: the nearest one around it with a project's file; `.` for the folder itself. */
  readonly folder: string;
  /** Its class, e.g. `FastAPI`. */
  readonly framework: string;
}
