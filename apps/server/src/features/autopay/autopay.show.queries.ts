import type { Autopay, AutopayKind, ShownAutopay } from '@balcao/contract/autopay.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import type { Tx } from '../../platform/scope.ts'
import { lastWay, nextOwed, type WayRow } from './autopay.queries.ts'

/** How the invoices of a company are paid by themselves, as its people see it. */
export async function shownAutopay(tx: Tx, offered: AutopayKind[]): Promise<ShownAutopay> {
  const way = await lastWay(tx)
  return { offered, autopay: way && (await shownWay(tx, way)) }
}

async function shownWay(tx: Tx, way: WayRow): Promise<Autopay> {
  const { kind, reason, problem, brand, lastDigits, pixCode } = way
  const state = way.state === 'ending' ? 'ended' : way.state
  const isActive = state === 'active'
  const owed =
    state === 'ended'
      ? null
      : await nextOwed(tx, {
          // an authorization is for periods of so many months
          months: isActive && kind === 'pix' ? way.months : null,
          but: isActive ? way.problemInvoiceId : null,
        })
  const value = state === 'waiting' ? ((kind === 'pix' ? way.value : owed?.owed) ?? 0) : 0
  return {
    ...{ kind, state, reason, problem, brand, lastDigits },
    pixCode: state === 'waiting' ? pixCode : '',
    paymentLink: kind === 'card' && state === 'waiting' ? (owed?.paymentLink ?? '') : '',
    ...{ value, valueBrl: brl(value) },
    next: isActive && owed ? { day: owed.dueDate, value: owed.owed, valueBrl: brl(owed.owed) } : null,
  }
}
