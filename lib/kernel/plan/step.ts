import type { Digest } from '../../../formats/digest.ts';
import type { Flow } from '../events/index.ts';
import type { Foreseen, ForeseenAction } from './foreseen.ts';

/** A value that JSON can say, with nothing left out. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [field: string]: Json };

/**
 * One thing that a plan does: plain data, which can be printed, stored and compared. `kind` and `subject` say it in
 * words; what it needs beyond its inputs (open archives, credentials) is not in it.
 */
export interface Step<Inputs extends Json = Json> {
  readonly kind: string;
  /** What it is done to, for people: a path, a reference, an address. */
  readonly subject: string;
  /** The digest of its kind, its inputs and `after`: two steps of one name do the same. */
  readonly name: Digest;
  /** What decides what it does. Large or secret values are in it as their digests. */
  readonly inputs: Inputs;
  /** Names of the steps that have to be done before: it takes what they give. */
  readonly after: readonly Digest[];
}

/** A step before it has a name: what a kind plans. */
export type Draft<Inputs extends Json = Json> = Pick<Step<Inputs>, 'subject' | 'inputs'>;

declare const type: unique symbol;

/**
 * What a kind of step gives to the steps after it. It is known only once the step is done, so that a plan names it and
 * does not hold it. Different kinds may give the same product: who takes it need not know which one did.
 */
export interface Product<out Output> {
  readonly product: string;
  readonly [type]?: Output;
}

/** What steps have given, by their products. */
export interface Given {
  /** What each step gave that gives `product`, in the order of the plan. */
  all<Output>(product: Product<Output>): readonly Output[];
  /** The same where exactly one step gives it. */
  one<Output>(product: Product<Output>): Output;
}

/** What a step is run with. Of what steps have given it sees that of its `after`. */
export interface Work<Means> extends Given {
  /** What steps work with and no plan holds: open archives, a cluster, credentials. */
  readonly means: Means;
  readonly flow: Flow;
  /** Keeps a resource until the plan has been run to its end, or has failed. */
  keep(resource: AsyncDisposable): void;
  /** What somebody has confirmed that the step does; undefined where nobody was asked. */
  readonly confirmed?: readonly ForeseenAction[] | undefined;
}

/**
 * A kind of step: when it is needed, and how it is done. `Read` is what plans are made from, `Means` what they are run
 * with.
 */
export interface StepKind<Read, Means, Inputs extends Json = Json, Output = unknown> {
  /** What it does, in lower case, as no other kind is called. */
  readonly kind: string;
  /** What it takes of earlier steps: it comes after each of them that gives one of these. */
  readonly takes: readonly Product<unknown>[];
  readonly gives: Product<Output>;
  /**
   * The `step` event that the runner tells when it begins, about its subject; left out where its work tells its own.
   */
  readonly event?: string;
  /** Says that it changes nothing although it has a `foresee`, which only looks at less. */
  readonly onlyLooks?: true;
  /** Returns which steps of this kind a plan needs, in their order; none where it needs none. Pure. */
  plan(read: Read): readonly Draft<Inputs>[];
  /**
   * Does a step. It finds out by itself what is done already: done twice, the second time changes nothing, and what was
   * interrupted is continued.
   */
  run(step: Step<Inputs>, work: Work<Means>): Promise<Output>;
  /**
   * Finds out what `run` would do, by the functions by which `run` decides it, and changes nothing. Left out for a kind
   * that changes nothing: that is run instead.
   */
  foresee?(step: Step<Inputs>, work: Work<Means>): Promise<Foreseen<Output>>;
}
