/** The folder that a measurement writes. */
export interface ResultsPorts {
  /** Writes a document into the results folder, whole or not at all. */
  save(name: string, text: string): Promise<void>;
  /** Removes the results of an earlier run, or only those in the folder `below` the results folder. */
  clearResults(below?: string): Promise<void>;
}
