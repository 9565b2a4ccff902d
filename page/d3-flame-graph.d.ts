/** The part of the library that the page uses; it has no types of its own. */
declare module "d3-flame-graph" {
  export interface FlameFrame<Data> {
    readonly id: number;
    readonly data: Data;
    readonly value: number;
    readonly parent: FlameFrame<Data> | null;
    readonly children?: readonly FlameFrame<Data>[];
    readonly highlight?: boolean;
  }
  export interface FlameChart<Data> {
    (selection: unknown): void;
    width(pixels: number): this;
    cellHeight(pixels: number): this;
    minFrameSize(pixels: number): this;
    transitionDuration(ms: number): this;
    inverted(is: boolean): this;
    selfValue(is: boolean): this;
    label(words: (frame: FlameFrame<Data>) => string): this;
    color(colour: (frame: FlameFrame<Data>) => string): this;
    onClick(then: (frame: FlameFrame<Data>) => void): this;
    onHover(then: (frame: FlameFrame<Data>) => void): this;
    setDetailsHandler(handler: () => void): this;
    setSearchHandler(handler: (found: readonly FlameFrame<Data>[], sum: number, whole: number) => void): this;
    setSearchMatch(matches: (frame: FlameFrame<Data>, term: string) => boolean): this;
    search(term: string): void;
    clear(): void;
    findById(id: number): FlameFrame<Data> | null;
    zoomTo(frame: FlameFrame<Data>): void;
    resetZoom(): void;
    update(data?: Data): this;
  }
  export default function flamegraph<Data>(): FlameChart<Data>;
}

declare module "d3-selection" {
  export function select(element: Element): { datum(data: unknown): unknown };
}
