import { type Bytes, collect, skip } from '../../../formats/bytes.ts';
import { type Digest, isDigest } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { MANIFEST_LIMIT, parseManifest } from '../../../formats/oci/manifest.ts';
import { codeOf, findTool, reasonOf, refused, SolpackError } from '../../kernel/events/index.ts';
import { ProgramError, programBytes } from '../../kernel/machine/index.ts';
import type { ImageSourceContext, ImageSourceKind } from './kind.ts';
import { findImage, type NamedImage } from './names.ts';

/** Most bytes of the list of images. */
const LIST = 16 * 1024 * 1024;

/** Runs `ctr` with these arguments, and streams its output. */
type Ctr = (args: readonly string[], signal?: AbortSignal) => Bytes;

/** `containerd:reference`: an image of this machine's containerd, read out of its content store with `ctr`. */
export const containerd: ImageSourceKind = {
  transport: 'containerd',
  open: async (location, context) => {
    const spec = `containerd:${location}`;
    if (location === '') {
      throw new SolpackError('source-invalid', spec, 'no reference follows the transport', {
        hint: 'write containerd:REFERENCE; "ctr images ls" lists the references',
      });
    }
    const ctr = await ctrOf(spec, context);
    const images = imagesIn(await list(spec, ctr(['images', 'ls'], context.signal)));
    return {
      name: location,
      source: {
        name: spec,
        open: ({ digest }, { offset = 0, signal } = {}) => skip(contentOf(spec, ctr, digest, signal), offset),
        resolve: async (name, signal) => {
          const digest = findImage(images, name, spec)?.digest ?? (isDigest(name) ? name : undefined);
          return digest && describe(spec, ctr, digest, signal);
        },
        close: async () => undefined,
      },
    };
  },
};

async function ctrOf(spec: string, { host, daemons }: ImageSourceContext): Promise<Ctr> {
  const program = await findTool(host, 'ctr', 'install containerd, whose ctr reads its images');
  const { address, namespace } = daemons.containerd ?? {};
  const own = [...(address ? ['--address', address] : []), ...(namespace ? ['--namespace', namespace] : [])];
  return async function* run(args, signal): Bytes {
    try {
      yield* programBytes(program, [...own, ...args], {}, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      if (!(cause instanceof ProgramError) && codeOf(cause) === undefined) throw cause;
      throw new SolpackError('source-invalid', spec, `ctr ${args.join(' ')}: ${reasonOf(cause)}`, {
        side: 'source',
        cause,
        hint: 'check that containerd runs, that you may use its socket, and CONTAINERD_ADDRESS and CONTAINERD_NAMESPACE',
      });
    }
  };
}

/** Decodes what `ctr` printed. */
async function list(spec: string, bytes: Bytes): Promise<string> {
  const hint = 'containerd holds too many images to list; remove images that nobody needs';
  return Buffer.from(await refused('source-invalid', spec, () => collect(bytes, LIST), hint)).toString();
}

/** Parses the output of `ctr images ls`: name, type and digest come first and have no blanks. */
function imagesIn(list: string): NamedImage[] {
  const images = new Map<Digest, string[]>();
  for (const line of list.split('\n')) {
    const [name, , digest] = line.split(/\s+/);
    if (name && isDigest(digest)) images.set(digest, [...(images.get(digest) ?? []), name]);
  }
  return [...images].map(([digest, names]) => ({ digest, names }));
}

/** Makes the descriptor of a manifest, whose size containerd does not list; undefined where it has no such digest. */
async function describe(
  spec: string,
  ctr: Ctr,
  digest: Digest,
  signal: AbortSignal | undefined,
): Promise<Descriptor | undefined> {
  const listed = await list(spec, ctr(['content', 'ls', '--quiet'], signal));
  if (!listed.split('\n').includes(digest)) return undefined;
  const read = async (): Promise<Descriptor> => {
    const bytes = await collect(ctr(['content', 'get', digest], signal), MANIFEST_LIMIT);
    return { mediaType: parseManifest(bytes).mediaType, digest, size: bytes.length };
  };
  return refused('image-unsupported', spec, read, 'check what the name points to');
}

async function* contentOf(spec: string, ctr: Ctr, digest: Digest, signal: AbortSignal | undefined): Bytes {
  try {
    yield* ctr(['content', 'get', digest], signal);
  } catch (cause) {
    if (!(cause instanceof SolpackError) || !/not found$/.test(cause.message)) throw cause;
    throw new SolpackError('source-invalid', spec, `containerd does not hold ${digest}, though the image needs it`, {
      side: 'source',
      cause,
      hint: 'name the platforms that it has (platforms = […]), or pull all of them: ctr images pull --all-platforms',
    });
  }
}
