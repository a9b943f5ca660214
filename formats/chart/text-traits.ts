/**
 * What the text of a chart, and of the charts in it, says about how it is rendered. It may say too much, never too
 * little.
 */
export interface ChartTraits {
  /** Whether what it renders may depend on the kinds that a cluster serves (`.Capabilities.APIVersions`). */
  readonly asksKinds: boolean;
  /** Whether it may ask a cluster for objects (`lookup`). */
  readonly looksUp: boolean;
  /** Whether it may draw values at random, or by the clock. */
  readonly draws: boolean;
  /** What the definitions in its `crds` folders seem to define: `group/version` and `group/version/Kind`. */
  readonly defines: readonly string[];
}

/** An API that a template asks a cluster for, by its literal name (Helm, `.Capabilities.APIVersions.Has`). */
export interface AskedApi {
  /** `group/version`, or `group/version/Kind`. */
  readonly api: string;
  /** The file, as Helm names it. */
  readonly template: string;
  /** The folder of the chart that has it, as Helm names that. */
  readonly chart: string;
  /** Whether that is a library, whose files render nothing by themselves. */
  readonly library: boolean;
}

/** What the templates of a chart, and of the charts in it, mention. */
export interface ChartMentions {
  readonly asks: readonly AskedApi[];
  /** The kinds that they define, by whichever values, as `group/Kind`; with `*` for a group that values tell. */
  readonly defines: readonly string[];
}
