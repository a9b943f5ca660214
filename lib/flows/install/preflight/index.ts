import type { Flow, SolpackError } from '../../../kernel/events/index.ts';
import type { InstallSurroundings, PreflightCheck, SurveyCheck, Undertaking } from './check.ts';
import { deliveryCheck } from './delivery.ts';
import { diskCheck } from './disk.ts';
import { kubernetesCheck } from './kubernetes-range.ts';
import { platformCheck } from './platforms.ts';
import { requestCheck } from './request.ts';

export {
  /** What does not end an install if its flags allow it: words of its `--allow-…` flags. */
  type Allowance,
  /** Makes sure that nothing prevents an install but what it may continue in spite of, which is reported. */
  requireAllowed,
} from './allowances.ts';

/** What is looked at before anything is rendered. */
const surveys: readonly SurveyCheck[] = [kubernetesCheck, deliveryCheck, diskCheck];

/** What is looked at once all is rendered. */
const checks: readonly PreflightCheck[] = [platformCheck, requestCheck];

/**
 * Finds all that an install would fail by that can be known before anything is rendered, in the order of the checks.
 */
export async function survey(surroundings: InstallSurroundings, flow: Flow): Promise<readonly SolpackError[]> {
  return (await Promise.all(surveys.map((check) => check(surroundings, flow)))).flat();
}

/** Finds all that an install would fail by that can be known once all is rendered, in the order of the checks. */
export async function examineUndertaking(undertaking: Undertaking, flow: Flow): Promise<readonly SolpackError[]> {
  return (await Promise.all(checks.map((check) => check(undertaking, flow)))).flat();
}
