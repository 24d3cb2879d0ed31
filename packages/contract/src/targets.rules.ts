import type { TargetClock, TargetKind, TicketTargets } from './targets.ts'

const kinds: TargetKind[] = ['firstReply', 'reply', 'resolution']

/** The clock of a ticket that is due next, or is late the longest; null where none runs. Equals `target_due_at`. */
export function nextTarget(targets: TicketTargets): { kind: TargetKind; clock: TargetClock } | null {
  let next: { kind: TargetKind; clock: TargetClock } | null = null
  for (const kind of kinds) {
    const clock = targets[kind]
    if (clock && !clock.endedAt && clock.dueAt && (!next || clock.dueAt < next.clock.dueAt!))
      next = { kind, clock }
  }
  return next
}

export type Urgency = 'calm' | 'soon' | 'urgent' | 'late'

/** How near a clock is to its end: the last third of its time is `soon`, the last ninth `urgent`. */
export function urgencyOf({ dueAt, soonAt }: Pick<TargetClock, 'dueAt' | 'soonAt'>, now: number): Urgency {
  if (!dueAt) return 'calm'
  const due = Date.parse(dueAt)
  if (now >= due) return 'late'
  const soon = soonAt ? Date.parse(soonAt) : due
  if (now >= due - (due - soon) / 3) return 'urgent'
  return now >= soon ? 'soon' : 'calm'
}
