import type { Reference } from '../../../formats/oci/reference.ts';
import type { FindProxy, HostTls, HttpTiming } from '../../kernel/http/index.ts';
import type { FindCredentials } from './credentials.ts';

/** How registries are talked to. */
export interface RegistryOptions {
  /** Where user and password come from; asked once a repository, when its registry wants them. */
  readonly credentials?: FindCredentials;
  /** PEM text of certificate authorities to trust beside those of the system. */
  readonly ca?: string;
  /** How TLS is spoken with a host (`host:port` as in a URL). */
  readonly certificates?: (host: string) => Promise<HostTls>;
  /** Takes whatever certificate a registry shows, and asks those on loopback addresses by TLS first. */
  readonly insecure?: boolean;
  /** Which proxy leads to an address. */
  readonly proxy?: FindProxy;
  /** Where registries really are (containers-registries.conf(5)); for `openReference`. */
  readonly locations?: Locations;
  /** Talks to every registry without TLS; loopback addresses need no such word. For `openReference`. */
  readonly plainHttp?: boolean;
  /** Ends whatever is under way. */
  readonly signal?: AbortSignal;
  /** Receives what the registry says in `Warning` headers (distribution-spec "Warnings"), each text once. */
  readonly onWarning?: (message: string) => void;
  /** Waiting times other than the usual ones (idle 60 s, answer 300 s, pause 0.5 s). */
  readonly timing?: Partial<HttpTiming>;
  /** Sizes of uploads other than the usual ones. */
  readonly upload?: Partial<UploadSizes>;
}

/** Sizes in bytes that decide how to send a blob. */
export interface UploadSizes {
  /** The largest blob that is sent in one piece. */
  readonly whole: number;
  /** The pieces that a larger one is sent in, where the registry does not ask for larger ones. */
  readonly chunk: number;
}

/** What counts where nobody says otherwise. */
export const usualUpload: UploadSizes = { whole: 256 * 1024 * 1024, chunk: 64 * 1024 * 1024 };

/** A place to pull a repository from. */
export interface PullPlace extends Pick<Reference, 'registry' | 'repository'> {
  /** Whether it may be without TLS, or show any certificate. */
  readonly insecure: boolean;
  /** For which names it is asked. */
  readonly pulls: 'all' | 'digest-only' | 'tag-only';
}

/** Where the repositories of registries really are. */
export interface Locations {
  /**
   * Returns where a repository is pulled from, in order: its mirrors, then its own place. Throws `registry-denied`
   * where it is blocked.
   */
  placesOf(reference: Pick<Reference, 'registry' | 'repository'>): readonly PullPlace[];
}
