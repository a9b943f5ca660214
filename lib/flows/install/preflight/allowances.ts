import { type ErrorCode, type Flow, SolpackError } from '../../../kernel/events/index.ts';

/** What does not end an install if its flags allow it: words of its `--allow-…` flags. */
export type Allowance = 'unsupported-kubernetes' | 'missing-platforms' | 'breaking-definitions';

/** What each of them lets pass. All else would fail anyway. */
const passing: Partial<Record<ErrorCode, Allowance>> = {
  'kubernetes-unsupported': 'unsupported-kubernetes',
  'platform-missing': 'missing-platforms',
  'definition-breaking': 'breaking-definitions',
};

/**
 * Makes sure that nothing prevents an install but what it may continue in spite of, which is reported. Throws the first
 * of all that is in the way; where there are others, with all of them as its findings.
 */
export function requireAllowed(faults: readonly SolpackError[], allowed: readonly Allowance[], flow: Flow): void {
  const isAllowed = ({ code }: SolpackError): boolean => {
    const flag = passing[code];
    return flag !== undefined && allowed.includes(flag);
  };
  for (const { code, subject, message } of faults.filter(isAllowed)) {
    const words = `${message}; it is installed anyway, as --allow-${passing[code]} says`;
    flow.onEvent({ type: 'notice', subject, message: words });
  }
  const inTheWay = faults.filter((fault) => !isAllowed(fault));
  const [first] = inTheWay;
  if (first === undefined) return;
  if (inTheWay.length === 1) throw refusal(first, first.message, []);
  const findings = inTheWay.map((one) => {
    const { code, subject, message } = one;
    return { code, subject, message: `${message}; ${hintOf(one)}` };
  });
  throw refusal(first, `${first.message} (and ${inTheWay.length - 1} more, all listed above)`, findings);
}

function refusal(fault: SolpackError, message: string, findings: SolpackError['findings']): SolpackError {
  return new SolpackError(fault.code, fault.subject, message, { hint: hintOf(fault), findings, cause: fault });
}

/** What to do, and the flag by which it may be left undone. */
function hintOf({ code, hint }: SolpackError): string {
  const flag = passing[code];
  return [hint, flag && `--allow-${flag} continues anyway`].filter(Boolean).join('; or ');
}
