/** A condition of an object's status (Kubernetes API conventions, "Typical status properties"). */
export interface Condition {
  readonly type: string;
  /** True, False or Unknown. */
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** The generation that the condition is about; undefined where its controller does not say. */
  readonly observedGeneration: number | undefined;
}

/**
 * Returns what lies at `path` in `value`; undefined where something on the way is no object or list. Status is written
 * by controllers of all kinds, so its shape is never taken for granted.
 */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, name) => {
    return typeof found === 'object' && found !== null && Object.hasOwn(found, name)
      ? (found as Record<string, unknown>)[name]
      : undefined;
  }, value);
}

/** Returns the string at `path`; '' where there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = fieldAt(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** Returns the whole number at `path`; undefined where there is none. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = fieldAt(value, ...path);
  return Number.isSafeInteger(found) ? (found as number) : undefined;
}

/** Returns the list at `path`; empty where there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = fieldAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Returns the condition of that type in an object's status. */
export function conditionOf(object: unknown, type: string): Condition | undefined {
  const found = listAt(object, 'status', 'conditions').find((entry) => textAt(entry, 'type') === type);
  if (found === undefined) return undefined;
  return {
    type,
    status: textAt(found, 'status'),
    reason: textAt(found, 'reason'),
    message: textAt(found, 'message'),
    observedGeneration: numberAt(found, 'observedGeneration'),
  };
}

/** Decides whether the object's status has a condition of that type with that status. */
export function hasCondition(object: unknown, type: string, status: 'True' | 'False'): boolean {
  return conditionOf(object, type)?.status === status;
}
