import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../formats/record.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import type { AgentNews, FollowedDocument, GenerationResolution, SolutionStatus } from '../../parts/clusters/index.ts';
import { operatorName, operatorStatus } from './cluster-operator.ts';
import { type AgentFinding, type AgentStatus, conditionsOf, findingOf } from './conditions.ts';
import type { AgentRequest } from './request.ts';

/** Tells in the cluster what becomes of what an agent follows. */
export interface AgentNotes {
  /** Writes the status, where it is another one than before. Without Solutions, those that were reported last stay. */
  status(document: FollowedDocument, finding: AgentFinding, seen?: SeenSolutions): Promise<void>;
  /** Leaves an Event, where the last one did not say the same. */
  news(document: FollowedDocument, news: AgentNews): Promise<void>;
}

/** What was seen of the Solutions. */
export interface SeenSolutions {
  readonly generation: number;
  /** Why that generation has these Solutions; undefined if it is not recorded. */
  readonly resolution: GenerationResolution | undefined;
  readonly solutions: readonly SolutionStatus[];
}

/** Makes what tells. What the server does not take is reported as a notice: it is no reason to do nothing. */
export function teller({ source, cluster }: AgentRequest, flow: Flow): AgentNotes {
  let last: unknown;
  let lastNews: unknown;
  let about: string | undefined;
  // What was reported about one that is gone says nothing about another one of its name.
  const turnTo = ({ uid, status }: FollowedDocument): void => {
    if (uid === about) return;
    about = uid;
    last = status;
    lastNews = undefined;
  };
  const orNotice = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      flow.signal.throwIfAborted();
      if (!(error instanceof SolpackError)) throw error;
      flow.onEvent({ type: 'notice', subject: error.subject, message: `${what} cannot be written: ${error.message}` });
    }
  };
  return {
    status: async (document, finding, seen) => {
      turnTo(document);
      const status = statusOf(document, finding, seen, last);
      if (!isDeepStrictEqual(status, last)) {
        await orNotice('the status', async () => {
          await cluster.tellStatus(source, status, flow);
          last = status;
        });
      }
      await orNotice('the ClusterOperator', () => {
        const report = { source, finding, solutions: status.solutions, namespaces: seen && namespacesIn(seen) };
        return cluster.tellOperator(operatorName(source), (before) => operatorStatus(report, before, present()), flow);
      });
    },
    news: async (document, news) => {
      turnTo(document);
      if (isDeepStrictEqual(news, lastNews)) return;
      lastNews = news;
      await orNotice('an Event', () => cluster.tellNews(source, document.uid, news, flow));
    },
  };
}

/** This moment, in RFC 3339. */
function present(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Lists the namespaces that Solutions have objects in. */
function namespacesIn({ solutions }: SeenSolutions): string[] {
  const objects = solutions.flatMap((one) => one.objects.map(({ object }) => object.split('/')[1] ?? ''));
  return [...new Set(objects)].filter((namespace) => namespace !== '');
}

function statusOf(
  { generation: observed }: FollowedDocument,
  finding: AgentFinding,
  seen: SeenSolutions | undefined,
  last: unknown,
): AgentStatus {
  const before = isRecord(last) ? last : {};
  const now = present();
  const listed = Array.isArray(before['solutions']) ? (before['solutions'] as unknown[]) : [];
  const conditionsIn = (value: unknown): readonly unknown[] => {
    const found = isRecord(value) ? value['conditions'] : undefined;
    return Array.isArray(found) ? found : [];
  };
  const solutions = seen?.solutions.map((one) => {
    const own = listed.find((other) => isRecord(other) && other['name'] === one.name);
    return {
      name: one.name,
      version: one.version,
      conditions: conditionsOf(findingOf(one), conditionsIn(own), now, observed),
    };
  });
  const number = seen?.generation ?? before['generation'];
  const resolution = seen === undefined ? before['resolution'] : seen.resolution;
  return {
    ...(observed === undefined ? {} : { observedGeneration: observed }),
    ...(typeof number === 'number' ? { generation: number } : {}),
    conditions: conditionsOf(finding, conditionsIn(before), now, observed),
    ...(finding.plan === undefined ? {} : { plan: finding.plan }),
    ...(isRecord(resolution) ? { resolution: resolution as unknown as GenerationResolution } : {}),
    solutions: solutions ?? (listed as AgentStatus['solutions']),
  };
}
