import type { Digest } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import type { ContentSource } from '../../kernel/content/index.ts';
import type { Flow, SolpackError } from '../../kernel/events/index.ts';

/** Which image it is. */
export interface ImageName {
  /** As its author named it. */
  readonly reference: string;
  readonly digest: Digest;
}

/** An image for a node, and where it is read from. */
export interface NodeImage extends ImageName {
  readonly descriptor: Descriptor;
  /** All that it consists of: configs and layers, then manifests, each after what it names; each digest once. */
  readonly contents: readonly Descriptor[];
  readonly source: ContentSource;
}

/** A place of images on a node, as it is remembered. */
export interface NodePlace {
  /** The kind of place: one of `nodeWays`. */
  readonly way: string;
  /** A folder, or a socket. */
  readonly place: string;
  /** How they are written there, where there is a choice. */
  readonly form?: string | undefined;
}

/** What has to be done to have images in a place. */
export interface PutPlan {
  /** What is lacking: images, or files. */
  readonly lacking: readonly { readonly subject: string; readonly bytes: number }[];
  /** How many things are there as they have to be. */
  readonly present: number;
  /** Tags of the place that will stand for another image. */
  readonly moved: readonly { readonly tag: string; readonly from: Digest; readonly to: Digest }[];
}

/** For whom images are in a place, and which ones those keep. */
export interface Retained {
  /** The name of a configuration. */
  readonly user: string;
  /** Its present set. */
  readonly present: readonly ImageName[];
  /** The images that it continues to need; undefined where only the place knows: those of its last two sets. */
  readonly keep: readonly ImageName[] | undefined;
}

/**
 * A place of this machine in which its runtime finds images, without a registry. Several configurations may have images
 * there, and so may others, whose images are never removed.
 */
export interface NodeStore {
  readonly at: NodePlace;
  /** How messages name it. */
  readonly name: string;
  /** Finds what putting `images` there would fail by. Changes nothing. */
  examine(images: readonly NodeImage[], flow: Flow): Promise<readonly SolpackError[]>;
  /** Finds out what `put` would do. */
  foreseePut(images: readonly NodeImage[], user: string, flow: Flow): Promise<PutPlan>;
  /**
   * Puts `images` there, whole or not at all, so that the runtime neither pulls nor forgets them, as the present set of
   * `user`. What is there is left alone. It is noted whose they are before they are there, so that a run that ended
   * anywhere is continued by the next one.
   */
  put(images: readonly NodeImage[], user: string, flow: Flow): Promise<PutPlan>;
  /** Finds out what `retain` would remove. */
  foreseeRetain(retained: Retained, flow: Flow): Promise<readonly string[]>;
  /** Removes what a configuration no longer needs, unless another one does. Returns what was removed. */
  retain(retained: Retained, flow: Flow): Promise<readonly string[]>;
  /** Lists those of `images` that are not there any longer, with the reason. */
  lacks(images: readonly ImageName[], flow: Flow): Promise<ReadonlyMap<ImageName, string>>;
}

/** A kind of such places. */
export interface NodeWay {
  readonly way: string;
  /** Opens the place at an absolute path; nothing is done to it yet. */
  at(place: NodePlace): NodeStore;
}
