import type { Digest } from '../../../formats/digest.ts';
import type { Grants } from '../../../formats/solution/grants.ts';
import type { InstallPlan } from '../../../formats/solution/install-plan.ts';
import type {
  AppliedObject,
  AppliedSolution,
  ChartTest,
  ClusterTarget,
  ExposedObject,
} from '../../parts/clusters/index.ts';
import type { ReportedImage, SiteChanges } from '../../shared/rendering/index.ts';
import type { MediaContext } from '../../shared/solutions/media/index.ts';
import type { NodeVariable } from '../../shared/solutions/node-variables/index.ts';
import type { HandedValues } from '../../shared/solutions/sites/index.ts';
import type { Delivered, ImageDelivery } from './delivery/index.ts';
import type { Allowance } from './preflight/index.ts';
import type { Trusting } from './trusting.ts';

/** What to install. Paths are absolute. */
export interface InstallRequest {
  /** The SolutionsConfiguration. */
  readonly configuration: string;
  /**
   * What it says, where no file does: its path is then what relative paths are relative to, and how messages name it.
   * Left out: it is read.
   */
  readonly document?: Uint8Array | undefined;
  /**
   * Whether the file becomes `document` by this install: a `solpack serve` that follows the file has new archives only
   * afterwards. Left out: it does not.
   */
  readonly imports?: boolean | undefined;
  /** How archives are reached that are no files. Left out: addresses directly, and none in registries. */
  readonly media?: MediaContext | undefined;
  /** Whom to trust; `skip` checks that bytes are intact, and not who made them. */
  readonly trust: Trusting | 'skip';
  /** How images get to where nodes can pull them. */
  readonly delivery: ImageDelivery;
  /** The `config_path` of containerd, where mirrors are written. Left out: nodes pull by the registry's own name. */
  readonly hostsDir?: string | undefined;
  /** Where rendered objects go. Left out: the install stops after the images and mirrors. */
  readonly cluster?: ClusterTarget | undefined;
  /** Milliseconds that a component may take to become ready, where it does not say so itself. Left out: 300,000. */
  readonly timeout?: number | undefined;
  /**
   * The variables of the node that plugins get, by the names of their convention; what is left out, they are reported
   * as the cluster and this machine have it.
   */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Whether this machine is the node that plugins ask about. Left out: it is. */
  readonly isNode?: boolean | undefined;
  /**
   * The Kubernetes version that is rendered for where no cluster is asked. Left out: the newest that all Solutions are
   * proved for.
   */
  readonly kubernetes?: string | undefined;
  /** Continues where objects use images that their archive does not hold, and reports them. Left out: false. */
  readonly allowMissingImages?: boolean | undefined;
  /** What it continues in spite of, and reports. Left out: nothing. */
  readonly allow?: readonly Allowance[];
  /** Runs the tests that charts bring along, once all is ready. Left out: false. */
  readonly test?: boolean | undefined;
  /**
   * Refuses also what only seems to be an image that the archive does not hold, and what is rendered into files. Left
   * out: false.
   */
  readonly strict?: boolean | undefined;
  /** Whether the result says where objects answer from outside of the cluster. Left out: false. */
  readonly exposes?: boolean | undefined;
  /** How many generations of the configuration the cluster remembers; at least 1. Left out: 10. */
  readonly keepGenerations?: number;
  /** Goes back to the previous generation where a component does not become ready in time. Left out: false. */
  readonly rollbackOnFailure?: boolean;
  /** How somebody who watches can end it, and go back. Left out: nobody can. */
  readonly interruption?: Interruption | undefined;
  /**
   * Whether it goes by the versions between, one install after the other, where what is wanted may not be installed
   * over what the cluster has. Each is agreed to by itself; a plan tells the first. Left out: it does not.
   */
  readonly through?: boolean;
  /** Values files of the site; they win over those that the configuration names. Left out: none. */
  readonly values?: readonly HandedValues[];
  /** What the configuration may name, which somebody else than the operator has written. Left out: whatever it says. */
  readonly grants?: Grants | undefined;
  /** The environment that secrets of the site may come from. Left out: an empty one. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Solutions that it takes from other configurations of the cluster, with all of their environments. Left out: none.
   */
  readonly takeOver?: readonly string[] | undefined;
  /**
   * The plan that was confirmed, or the file that has it: nothing else is done, and where the way has several installs,
   * only the first. Left out: nobody was asked.
   */
  readonly confirmed?: string | InstallPlan | undefined;
  /** Who has to agree. Left out: nobody. */
  readonly agreement?: InstallAgreement | undefined;
}

/** Who has to agree to what an install does, before it does anything. */
export interface InstallAgreement {
  /** The Solutions of which all, data or a newer release may go. */
  readonly removal: readonly string[];
  /** Whether any newer release may go. */
  readonly downgrade: boolean;
  /**
   * Called with the plan, and with the Solutions that somebody has to name still; throws what ends the install. Then
   * nothing else is done than what the plan says. Left out: `removal` alone decides.
   */
  readonly agree?: ((plan: InstallPlan, toName: readonly string[]) => Promise<void>) | undefined;
  /** Called once all is agreed to and verified, before anything is changed. */
  readonly begin?: (() => Promise<void>) | undefined;
}

/** Lets somebody end an install, and then decide about what it has left. */
export interface Interruption {
  /** Ends what is at work; what is to be done after that continues. */
  readonly signal: AbortSignal;
  /** Asks whether what is there in part goes back to a generation before. Both are named as people read it. */
  goesBack(present: string, before: string): Promise<boolean>;
}

/** What the site sets for a Solution. */
export interface InstalledSite {
  /** Of its values and patches, and of where its secrets come from; not of the secrets. */
  readonly digest: Digest;
  /** What that changes, by component; nothing where nothing was rendered. */
  readonly components: readonly Omit<SiteChanges, 'solution'>[];
}

/** One Solution that is active after an install. */
export interface InstalledSolution {
  readonly name: string;
  readonly version: string;
  readonly archive: string;
  readonly root: Digest;
  /** Ids of the keys whose signatures count for it. */
  readonly signers: readonly string[];
  /**
   * Whether a higher sequence was installed before, which --allow-downgrade let pass; or, without one, the cluster had
   * a higher version.
   */
  readonly downgraded: boolean;
  /** Files that were written, in order. */
  readonly applied: readonly string[];
  /** The images that its objects name, wherever they do so; empty where nothing was rendered. */
  readonly images: readonly ReportedImage[];
  /** What became of each object in the cluster, in the order in which they were applied. */
  readonly objects: readonly AppliedObject[];
  /** What the site sets for it; left out where that is nothing. */
  readonly site?: InstalledSite;
}

/** An image that nodes can pull. */
export interface InstalledImage {
  readonly reference: string;
  /** The name by which they pull it, with its digest. */
  readonly target: string;
}

/** What an install did. `registry` is where the images can be pulled from. */
export interface InstallResult extends Delivered {
  /** By what the archives are trusted; `skipped` is nobody's word. */
  readonly trust: 'policy' | 'keys' | 'skipped';
  readonly solutions: readonly InstalledSolution[];
  /** Solutions that the configuration brought to the cluster earlier, and no longer activates. */
  readonly removed: readonly AppliedSolution[];
  readonly images: readonly InstalledImage[];
  /** Mirror configuration that was written, as paths. */
  readonly mirrors: readonly string[];
  /**
   * The variables of the node that plugins got, and who said so; empty where there is no plugin, or nothing is
   * rendered.
   */
  readonly variables: readonly NodeVariable[];
  /** The tests of charts that were asked for, in the order in which they ran. */
  readonly tests?: readonly ChartTest[];
  /** The number of the generation that is in the cluster now; absent where nothing was applied to one. */
  readonly generation?: number;
  /** What answers from outside of the cluster; left out where nothing does, or nothing was applied to one. */
  readonly exposed?: readonly ExposedObject[];
}
