import { collect, once } from '../../../formats/bytes.ts';
import { sha256 } from '../../../formats/digest.ts';
import { parseChallenges } from '../../../formats/oci/challenge.ts';
import { mediaTypes } from '../../../formats/oci/descriptor.ts';
import { encodeIndex } from '../../../formats/oci/manifest.ts';
import type { Answer } from '../../../lib/kernel/http/answer.ts';
import { parseJournal } from '../../../lib/parts/archives/journal.ts';
import { createClient } from '../../../lib/parts/registries/client.ts';
import type { Client } from '../../../lib/parts/registries/client-kind.ts';
import { answerFailure } from '../../../lib/parts/registries/failure.ts';
import { fetchToken } from '../../../lib/parts/registries/fetch-token.ts';
import { listTags } from '../../../lib/parts/registries/list-tags.ts';
import { fetchReferrers } from '../../../lib/parts/registries/referrers.ts';
import { createShared } from '../../../lib/parts/registries/shared-state.ts';
import { parsers } from '../parser.ts';
import { checkMessage, must } from '../violation.ts';

const digest = sha256('x');
const descriptor = { mediaType: mediaTypes.manifest, digest, size: 3 };
const url = new URL('https://registry.example.com/v2/a/b/tags/list');
const shared = createShared({}, () => false);
const same = (text: string): string => text;
const target = { scheme: 'https', registry: url.host, repository: 'a/b' } as const;
const next = '</v2/a/b/tags/list?last=b>; rel="next"';

const journal = `solpack-journal 1 ${digest}\ndone ${digest}\nsafe 1\nat ${digest} 12\n`;

/** Answers of registries and token servers, and the journals of earlier runs. */
export const answers = parsers(
  'answers',
  100,
  '"tags":null¦"token":¦"access_token":¦"expires_in":¦"errors":[¦"manifests":null¦"status":' +
    '¦done ¦safe 9¦at ¦\n\n¦rel="next"¦<¦>; ',
  {
    tags: { samples: [`${next}\n{"name":"a/b","tags":["a","b"]}`], read: readTags },
    referrers: {
      samples: [`\n${Buffer.from(encodeIndex({ manifests: [descriptor] }))}`, '\n{"manifests":null}'],
      read: readReferrers,
    },
    token: { samples: ['{"token":"abc","expires_in":300}', '{"access_token":"abc"}'], read: readToken },
    failure: {
      samples: ['{"errors":[{"code":"DENIED","message":"no"}]}', '{"error":"x","error_description":"y"}'],
      read: async (bytes) => checkMessage((await answerFailure(answerOf(bytes, 500), tried('GET'))).message),
    },
    journal: { samples: [journal], read: (bytes) => void parseJournal(bytes.toString(), digest) },
  },
);

/** Reads the pages of a list of tags. The first line is the `Link` header of the first page; the rest is that page. */
async function readTags(bytes: Buffer): Promise<void> {
  await listTags(clientOf(bytes));
}

async function readReferrers(bytes: Buffer): Promise<void> {
  const found = await fetchReferrers(clientOf(bytes), descriptor);
  must(new Set(found.map((one) => one.digest)).size === found.length, 'a referrer is listed twice');
}

async function readToken(bytes: Buffer): Promise<void> {
  const [challenge] = parseChallenges('Bearer realm="https://auth.example.com/token"');
  const grant = { challenge: challenge!, scopes: [], credentials: undefined, named: {} };
  const { until } = await fetchToken(target, grant, async () => answerOf(bytes), same);
  must(!Number.isNaN(until), 'a token has no end');
}

function tried(method: string): Parameters<typeof answerFailure>[1] {
  return { method, url, origin: url.origin, direction: 'pull', subject: 'registry.example.com/a/b', blank: same };
}

function answerOf(body: Buffer, code = 200, link?: string): Answer {
  return {
    status: code,
    headers: { 'content-type': mediaTypes.index, ...(link === undefined ? {} : { link }) },
    url,
    read: () => once(body),
    gather: (limit) => collect(once(body), limit),
    discard: () => undefined,
  };
}

/**
 * Makes a client whose registry gives the same answer to each request, with the first line as a header, and ends its
 * list with the third page.
 */
function clientOf(bytes: Buffer): Client {
  const end = bytes.indexOf('\n');
  const link = bytes.toString('latin1', 0, Math.max(0, end));
  const body = bytes.subarray(end + 1);
  let requests = 0;
  const send = async (): Promise<Answer> => {
    requests += 1;
    return answerOf(body, 200, requests > 2 ? undefined : link);
  };
  return createClient(target, { ...shared, transport: { send, close: () => undefined } });
}
