import { FormatError, type Position, PositionedError } from '../../../formats/error.ts';
import { namesSecret } from '../../../formats/secret-names.ts';

/** Exit codes of every command; `docs/errors.md` explains them. */
export const exits = {
  ok: 0,
  findings: 1,
  usage: 2,
  untrusted: 3,
  registry: 4,
  cluster: 5,
  resource: 6,
  bug: 70,
  interrupted: 130,
} as const;

interface ErrorInfo {
  /** One sentence for `docs/errors.md`. */
  readonly title: string;
  /**
   * Whether a terminal may show lines of the files that it is about. Never set it where such a file may hold a secret.
   */
  readonly showsLine?: true;
  readonly exit: (typeof exits)[keyof typeof exits];
}

/** Every error that a user can meet, with its exit code. `docs/errors.md` is made from this table. */
export const errorInfo = {
  'usage-invalid': { title: 'The command does not understand its command line', exit: exits.usage },
  'file-missing': { title: 'A file or folder that was named does not exist', exit: exits.usage },
  'file-unreadable': { title: 'A file or folder cannot be read', exit: exits.usage },
  'output-unwritable': { title: 'The output cannot be written there', exit: exits.resource },
  'output-exists': { title: 'Something exists where the output is to be written', exit: exits.usage },
  'disk-full': { title: 'There is not enough room on the disk', exit: exits.resource },
  'path-escapes': { title: 'A path leads out of the folder it has to stay in', exit: exits.usage },
  'definition-invalid': {
    title: 'The definition (`solution.toml`) is not valid',
    exit: exits.usage,
    showsLine: true,
  },
  'lock-mismatch': {
    title: '`solution.lock` differs from what the sources hold now',
    exit: exits.usage,
    showsLine: true,
  },
  'image-absent': { title: 'An image is not where the definition says', exit: exits.usage },
  'image-unsupported': { title: 'An image is of a kind that cannot be packed unchanged', exit: exits.usage },
  'source-invalid': { title: 'An image source cannot be read', exit: exits.usage },
  'sbom-invalid': { title: 'A file that is named as an SBOM is not one', exit: exits.usage },
  'attestation-absent': { title: 'An archive has no such attestation', exit: exits.usage },
  'component-absent': { title: 'A component, or a part of it, is not where the definition says', exit: exits.usage },
  'component-invalid': { title: 'A component does not match its kind', exit: exits.usage, showsLine: true },
  'installer-invalid': {
    title: 'A file for the installer is not a program for its platform',
    exit: exits.usage,
  },
  'solution-open': {
    title:
      'A Solution is not closed: its objects need something that it does not bring, or Kubernetes would refuse them',
    exit: exits.usage,
  },
  'object-reserved': { title: 'A component has an object that is reserved for solpack', exit: exits.usage },
  'archive-invalid': { title: 'A file is not an archive of a Solution', exit: exits.usage },
  'archive-damaged': { title: 'An archive is damaged, or was made to mislead its readers', exit: exits.findings },
  'archive-incomplete': { title: 'A delta lacks contents that none of the given archives has', exit: exits.findings },
  'archive-path-missing': { title: 'There is no such path in the archive', exit: exits.usage },
  'archive-limit': { title: 'A Solution cannot be written in this archive format', exit: exits.usage },
  'content-mismatch': { title: 'Content differs from its digest', exit: exits.findings },
  'key-invalid': { title: 'A key cannot be used', exit: exits.usage },
  'signature-slots-full': { title: 'Every signature slot of the archive is used', exit: exits.usage },
  'not-trusted': {
    title: 'The given keys or policy do not trust an archive, or a release that would be restored',
    exit: exits.untrusted,
  },
  'trust-required': { title: 'Neither keys nor a policy say whom to trust', exit: exits.untrusted },
  'policy-invalid': { title: 'A trust policy is not valid', exit: exits.usage },
  'policy-untrusted': { title: 'A trust policy is not signed as its predecessor requires', exit: exits.untrusted },
  'mend-invalid': { title: 'A correction of remembered installs is not valid', exit: exits.usage },
  'mend-untrusted': {
    title: 'A correction of remembered installs is not signed as the policy requires',
    exit: exits.untrusted,
  },
  'mend-mismatch': { title: 'A correction does not fit the remembered installs', exit: exits.untrusted },
  'trust-state-invalid': { title: 'The memory of earlier installs cannot be read', exit: exits.untrusted },
  'verification-failed': { title: 'The content of an archive does not match its root', exit: exits.findings },
  'profile-invalid': { title: 'The profile of this machine is not valid', exit: exits.usage, showsLine: true },
  'profile-unsafe': {
    title: 'Other users may change the profile of this machine',
    exit: exits.usage,
  },
  'configuration-invalid': { title: 'The SolutionsConfiguration is not valid', exit: exits.usage, showsLine: true },
  'configuration-bounds': {
    title: 'A configuration from a cluster names something that it may not',
    exit: exits.untrusted,
  },
  'site-invalid': { title: 'A site sets something that its Solution does not let it set', exit: exits.usage },
  'plan-invalid': { title: 'A file is not a plan that `install --plan --json` printed', exit: exits.usage },
  'plan-absent': { title: 'No plan of an agent is to be decided about', exit: exits.usage },
  'plan-outdated': { title: 'An install would do something other than the confirmed plan', exit: exits.usage },
  'removal-unnamed': {
    title:
      'An install or uninstall would remove a Solution or its data, or install an older release, and nobody has confirmed that',
    exit: exits.usage,
  },
  'version-conflict': { title: 'Two archives hold the same version of one Solution', exit: exits.usage },
  'version-absent': { title: 'The version to activate is in none of the archives', exit: exits.usage },
  'archive-gone': {
    title: 'An entry of `archives` no longer holds the archive of a Solution that is installed',
    exit: exits.usage,
  },
  'set-impossible': {
    title: 'No set of Solutions meets all their requirements',
    exit: exits.usage,
  },
  'generation-absent': { title: 'The cluster does not remember such a generation', exit: exits.usage },
  'version-active': {
    title: 'An archive cannot be removed from the configuration, because its version is active',
    exit: exits.usage,
  },
  'rollback-unsafe': {
    title: 'A rollback would leave custom resources in the form of a newer version',
    exit: exits.usage,
  },
  'solution-unknown': { title: 'The cluster has no Solution and no configuration of that name', exit: exits.usage },
  'generation-unfinished': {
    title: 'The newest generation did not succeed, so the wanted state is unknown',
    exit: exits.cluster,
  },
  'image-conflict': { title: 'Two different images claim one name', exit: exits.usage },
  'credentials-invalid': { title: 'A file of registry credentials cannot be used', exit: exits.usage },
  'certificate-invalid': { title: 'A file of certificates for a registry cannot be used', exit: exits.usage },
  'registries-invalid': { title: 'A `registries.conf` cannot be used', exit: exits.usage },
  'registry-unreachable': { title: 'A registry does not answer', exit: exits.registry },
  'registry-denied': { title: 'A registry refuses access', exit: exits.registry },
  'registry-error': { title: 'A registry answered with an error', exit: exits.registry },
  'solution-absent': { title: 'A registry has no such Solution', exit: exits.registry },
  'registry-incomplete': { title: 'A registry lacks content that an install needs', exit: exits.registry },
  'remote-unreachable': { title: 'The server of a file does not answer', exit: exits.registry },
  'remote-denied': { title: 'The server of a file refuses access', exit: exits.registry },
  'remote-error': { title: 'The server of a file answered with an error, or against the rules', exit: exits.registry },
  'remote-unranged': { title: 'The server of a file does not support range requests', exit: exits.registry },
  'remote-changed': { title: 'A file was replaced on its server while it was read', exit: exits.registry },
  'store-busy': { title: 'Another process uses the store of a registry', exit: exits.resource },
  'tls-invalid': { title: 'The certificate or the key for TLS cannot be used', exit: exits.usage },
  'passwords-invalid': { title: 'A file of users and passwords cannot be used', exit: exits.usage },
  'listen-failed': { title: 'The address to serve on cannot be used', exit: exits.resource },
  'scan-database-outdated': {
    title: 'The database of a scanner is older than was asked',
    exit: exits.resource,
  },
  'tool-missing': { title: 'A required program is not on this machine', exit: exits.resource },
  'tool-failed': { title: 'A program that was run ended with an error', exit: exits.usage },
  'plugin-failed': { title: 'A plugin is broken: it cannot be run, or breaks the convention', exit: exits.usage },
  'plugin-unmet': { title: 'A plugin found a precondition of this machine unmet', exit: exits.usage },
  'plugin-misconfigured': { title: 'A plugin found its configuration invalid', exit: exits.usage },
  'mirror-foreign': { title: 'A `hosts.toml` that has to be written was not written by solpack', exit: exits.usage },
  'kubeconfig-invalid': { title: 'A kubeconfig cannot be used', exit: exits.usage },
  'image-record-invalid': { title: 'The record of the images of a node cannot be read', exit: exits.resource },
  'image-missing': { title: 'A component uses an image that its archive does not hold', exit: exits.cluster },
  'kubernetes-unsupported': {
    title: 'A Solution is not for the Kubernetes version of the cluster',
    exit: exits.cluster,
  },
  'platform-missing': { title: 'An image is not for the platform of a node', exit: exits.cluster },
  'definition-breaking': {
    title: 'A CustomResourceDefinition would break stored custom resources',
    exit: exits.cluster,
  },
  'cluster-unreachable': { title: 'The API server does not answer', exit: exits.cluster },
  'cluster-unauthorized': { title: 'The API server does not accept the credentials', exit: exits.cluster },
  'cluster-forbidden': { title: 'The API server denies a required permission', exit: exits.cluster },
  'cluster-error': { title: 'The API server answered with an error', exit: exits.cluster },
  'kind-unknown': { title: 'The API server does not know the kind of an object', exit: exits.cluster },
  'configuration-busy': { title: 'Another run applies the same configuration', exit: exits.cluster },
  'object-refused': { title: 'The API server refuses an object', exit: exits.cluster },
  'object-conflict': { title: 'An object, or fields of it, belong to somebody else', exit: exits.cluster },
  'object-not-ready': { title: 'An object did not become ready', exit: exits.cluster },
  'rolled-back': { title: 'An install failed, and the previous generation was restored', exit: exits.cluster },
  'test-failed': { title: 'A test of a chart has failed', exit: exits.cluster },
  'object-not-removed': { title: 'An object that is no longer wanted is not removed', exit: exits.cluster },
} as const satisfies Record<string, ErrorInfo>;

/** A code of `errorInfo`. */
export type ErrorCode = keyof typeof errorInfo;

/** Decides whether a text is a code of `errorInfo`. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorInfo, text);
}

/** Says where in a file something is wrong. */
export interface FilePosition extends Position {
  /** Its path, or what a text that is not a file is called. */
  readonly file: string;
}

/** One of several problems, with a line of its own. */
export interface FoundFault {
  readonly code: string;
  readonly subject: string;
  readonly message: string;
}

/** Optional parts of a `SolpackError`. */
export interface ErrorDetails {
  /** Where the error is. */
  readonly position?: FilePosition;
  /** The line that `position` is on. It is kept only where the code lets it be shown, and it says no secret. */
  readonly lineText?: string;
  /** What the user can do next. */
  readonly hint?: string;
  /** Which end of a transfer failed. */
  readonly side?: 'source' | 'target';
  /** All that was found, where the message only counts it. */
  readonly findings?: readonly FoundFault[];
  readonly cause?: unknown;
}

/**
 * The one error that `lib` throws at users: what was tried on what, why it failed, what to do next. If it has a
 * position, the message begins with that: `FILE:LINE:COLUMN: `.
 */
export class SolpackError extends Error {
  readonly code: ErrorCode;
  /** Path, digest or reference that it is about; credentials in URLs are blanked. */
  readonly subject: string;
  readonly hint: string | undefined;
  readonly side: 'source' | 'target' | undefined;
  /** Where the error is, if it is about a position in a file. */
  readonly position: FilePosition | undefined;
  /** The line of the file that `position` is on, where it may be shown. */
  readonly lineText: string | undefined;
  /** All that was found, where the message only counts it. */
  readonly findings: readonly FoundFault[];

  constructor(code: ErrorCode, subject: string, message: string, details: ErrorDetails = {}) {
    super(
      redact(`${positionWords(details.position)}${message}`),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.name = 'SolpackError';
    this.code = code;
    this.subject = redact(subject);
    this.hint = details.hint === undefined ? undefined : redact(details.hint);
    this.side = details.side;
    this.findings = (details.findings ?? []).map(({ code: found, subject: about, message: words }) => ({
      code: found,
      subject: redact(about),
      message: redact(words),
    }));
    this.position = details.position && { ...details.position, file: redact(details.position.file) };
    this.lineText =
      'showsLine' in errorInfo[code] && !tellsSecret(details.lineText ?? '') ? details.lineText : undefined;
  }

  /** The subject and the message; the latter begins with the former where it is about a position in that file. */
  get summary(): string {
    return this.position?.file === this.subject ? this.message : `${this.subject}: ${this.message}`;
  }

  /** The exit code of a command that ends with this error. */
  get exit(): number {
    return errorInfo[this.code].exit;
  }
}

function positionWords(position: FilePosition | undefined): string {
  return position ? `${position.file}:${position.line}:${position.column}: ` : '';
}

/** Blanks user and password of every URL in `value`, and its query, which may have tokens. */
export function redact(value: string): string {
  return value.replace(/(\bhttps?:\/\/)([^/\s?#]*@)?([^\s?"']*)(\?[^\s"']*)?/gi, (_, scheme, user, rest, query) => {
    return `${scheme}${user ? '***@' : ''}${rest}${query ? '?***' : ''}`;
  });
}

/** Runs `work`, and turns the refusal of a format into a `SolpackError` of `code` about `subject`. */
export async function refused<T>(
  code: ErrorCode,
  subject: string,
  work: () => T | Promise<T>,
  hint?: string,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fromFormat(code, subject, error, hint);
  }
}

/**
 * Runs `work`, and returns the error that it throws at users; nothing where it throws none. Throws all other errors.
 */
export async function faultsOf(work: () => Promise<unknown>): Promise<readonly SolpackError[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (error instanceof SolpackError) return [error];
    throw error;
  }
}

/**
 * Turns a `FormatError` into a `SolpackError` of `code` about `subject`, with its position. Returns other errors
 * unchanged.
 */
export function fromFormat(code: ErrorCode, subject: string, error: unknown, hint?: string): unknown {
  if (!(error instanceof FormatError)) return error;
  const positioned = error instanceof PositionedError;
  const message = positioned ? wordsOf(error) : withoutName(error.message, subject);
  // Some formats have an error of the same code, which a message tells once.
  const reason = error.code === code ? '' : ` (${error.code})`;
  return new SolpackError(code, subject, `${message}${reason}`, {
    ...(positioned ? positionOf(subject, error) : {}),
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}

/**
 * Leaves out the name of a text that the subject ends with: `Chart.yaml: name: is missing` about `/srv/web/Chart.yaml`.
 */
function withoutName(message: string, subject: string): string {
  const name = message.slice(0, Math.max(0, message.indexOf(': ')));
  return name !== '' && (subject === name || subject.endsWith(`/${name}`)) ? message.slice(name.length + 2) : message;
}

/** All that is wrong, with every position but the first, which the error has as fields. */
function wordsOf({ problems: [first, ...more] }: PositionedError): string {
  const also = more.map(({ position, message }) => `${position.line}:${position.column}: ${message}`);
  return [first!.message, ...(also.length > 0 ? [`also ${also.join('; ')}`] : [])].join('; ');
}

/**
 * Tells the first position. It is in the file `subject`, unless the text is called differently from any file there:
 * then it is what a program printed, or lies in an archive.
 */
function positionOf(
  subject: string,
  { position, problems, textName }: PositionedError,
): Pick<ErrorDetails, 'position' | 'lineText'> {
  const { lineText } = problems[0]!;
  const isFile = textName === undefined || subject === textName || subject.endsWith(`/${textName}`);
  const file = isFile ? subject : textName;
  return { position: { file, ...position }, ...(lineText === undefined ? {} : { lineText }) };
}

/** Whether a line may tell a secret: credentials in a URL, or a value whose name or look says that it is one. */
function tellsSecret(line: string): boolean {
  if (redact(line) !== line || /passw|secret|token|credential|private|api-?_?key|-----BEGIN|[\w+/=]{100}/i.test(line))
    return true;
  return [...line.matchAll(/(?<![\p{L}\p{N}_.-])([\p{L}\p{N}_.-]+)["']?[ \t]*[:=]/gu)].some(([, name = '']) =>
    namesSecret(name),
  );
}
