/** The contents of a repository. The suite needs them if it cannot push. */
export interface Holdings {
  readonly tags: readonly string[];
  readonly manifests: readonly string[];
  readonly blobs: readonly string[];
  /** Manifests that have referrers. */
  readonly subjects: readonly string[];
}

interface Entry {
  readonly digest: string;
  readonly mediaType: string;
}

interface Document {
  readonly manifests?: readonly Entry[];
  readonly config?: Entry;
  readonly layers?: readonly Entry[];
}

const accept = ['application/vnd.oci.image.index.v1+json', 'application/vnd.oci.image.manifest.v1+json'].join(', ');

/** Asks a registry for everything that the tags of a repository lead to. */
export async function holdingsOf(url: string, repository: string): Promise<Holdings> {
  const base = `${url}/v2/${repository}`;
  const { tags } = (await json(`${base}/tags/list`)) as { tags: string[] };
  const manifests = new Set<string>();
  const blobs = new Set<string>();
  const subjects = new Set<string>();
  const visit = async (reference: string): Promise<void> => {
    const reply = await answered(`${base}/manifests/${reference}`);
    const digest = reply.headers.get('docker-content-digest') ?? reference;
    if (manifests.has(digest)) return;
    manifests.add(digest);
    const { manifests: children = [], config, layers = [] } = (await reply.json()) as Document;
    for (const blob of [...(config ? [config] : []), ...layers]) blobs.add(blob.digest);
    for (const child of children) await visit(child.digest);
    const referrers = ((await json(`${base}/referrers/${digest}`)) as Document).manifests ?? [];
    if (referrers.length > 0) subjects.add(digest);
    for (const referrer of referrers) await visit(referrer.digest);
  };
  for (const tag of tags) await visit(tag);
  return { tags, manifests: [...manifests], blobs: [...blobs], subjects: [...subjects] };
}

async function json(url: string): Promise<unknown> {
  return (await answered(url)).json();
}

async function answered(url: string): Promise<Response> {
  const reply = await fetch(url, { headers: { accept } });
  if (!reply.ok) throw new Error(`${url} was answered with ${reply.status}`);
  return reply;
}
