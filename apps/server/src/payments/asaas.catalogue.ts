import { authorizes, debits, type EventMeaning, each, notes, nothing, settles, shows } from './catalogue.ts'

const unused = (what: string) => nothing(`${what} of the account, which the platform does not use`)

/** Every event that Asaas publishes, https://docs.asaas.com/docs/webhooks-events. Another one is shown to a master as unknown. */
export const ASAAS_EVENTS: Record<string, EventMeaning> = {
  PAYMENT_CREATED: nothing('the platform made it'),
  PAYMENT_AWAITING_RISK_ANALYSIS: nothing('the card is not charged yet'),
  PAYMENT_APPROVED_BY_RISK_ANALYSIS: nothing('PAYMENT_CONFIRMED follows'),
  PAYMENT_REPROVED_BY_RISK_ANALYSIS: shows('refused', 'the card was refused; the invoice stays owed'),
  PAYMENT_AUTHORIZED: nothing('the card is not charged yet'),
  PAYMENT_UPDATED: shows('changed', 'only where the charge asks for another sum than the invoice'),
  PAYMENT_CONFIRMED: settles('confirmed', 'CONFIRMED', 'the money is promised; the invoice is paid'),
  PAYMENT_RECEIVED: settles('received', 'RECEIVED', 'the money is there; the invoice is paid'),
  PAYMENT_CREDIT_CARD_CAPTURE_REFUSED: shows('refused', 'the card was refused; the invoice stays owed'),
  PAYMENT_ANTICIPATED: nothing('the operator has the money earlier; the invoice is paid already'),
  PAYMENT_OVERDUE: settles('overdue', 'OVERDUE', 'a removed charge is there again; the due date counts here'),
  PAYMENT_DELETED: settles('removed', 'GONE', 'nobody can pay it; a button makes another'),
  PAYMENT_RESTORED: settles('restored', 'PENDING', 'it can be paid again'),
  PAYMENT_REFUNDED: settles('refunded', 'REFUNDED', 'all of it is given back'),
  // the payment stays confirmed or received
  PAYMENT_PARTIALLY_REFUNDED: settles('partlyRefunded', 'CONFIRMED', 'a part of it is given back'),
  PAYMENT_REFUND_IN_PROGRESS: nothing('PAYMENT_REFUNDED or PAYMENT_REFUND_DENIED follows'),
  PAYMENT_REFUND_DENIED: settles(
    'refundDenied',
    'CONFIRMED',
    'the money is still there; the refund has failed',
  ),
  PAYMENT_RECEIVED_IN_CASH_UNDONE: settles(
    ...(['cashUndone', 'UNDONE'] as const),
    'the payment is taken back; what it paid is owed again',
  ),
  PAYMENT_CHARGEBACK_REQUESTED: shows('dispute', 'the payment counts until it is decided'),
  PAYMENT_CHARGEBACK_DISPUTE: shows('dispute', 'the payment counts until it is decided'),
  PAYMENT_AWAITING_CHARGEBACK_REVERSAL: shows('dispute', 'decided for the operator; the money comes back'),
  PAYMENT_DUNNING_RECEIVED: settles('received', 'RECEIVED', 'the debt was collected; the invoice is paid'),
  PAYMENT_DUNNING_REQUESTED: nothing('the invoice stays owed'),
  PAYMENT_BANK_SLIP_CANCELLED: shows('changed', 'the boleto cannot be paid any more'),
  PAYMENT_BANK_SLIP_VIEWED: nothing('the customer looked at it'),
  PAYMENT_CHECKOUT_VIEWED: nothing('the customer looked at it'),
  PAYMENT_SPLIT_CANCELLED: nothing('the platform divides no charge'),
  PAYMENT_SPLIT_DIVERGENCE_BLOCK: shows('account', 'Asaas holds the money of the charge back'),
  PAYMENT_SPLIT_DIVERGENCE_BLOCK_FINISHED: nothing('the money is free again'),
  PAYMENT_SPLIT_DONE: nothing('the platform divides no charge'),
  ...each(
    'INVOICE_',
    'CREATED UPDATED SYNCHRONIZED AUTHORIZED PROCESSING_CANCELLATION CANCELED',
    notes('one that the platform asked for is queried: its link follows'),
  ),
  INVOICE_ERROR: shows(
    'fiscalNote',
    'the town refused the fiscal note; one of the platform waits for a master',
  ),
  INVOICE_CANCELLATION_DENIED: shows('fiscalNote', 'the town refused to cancel the fiscal note'),
  ...each(
    'SUBSCRIPTION_',
    'CREATED UPDATED INACTIVATED DELETED SPLIT_DISABLED SPLIT_DIVERGENCE_BLOCK SPLIT_DIVERGENCE_BLOCK_FINISHED',
    unused('a subscription'),
  ),
  ...each('CHECKOUT_', 'CREATED CANCELED EXPIRED PAID', unused('a checkout')),
  ...each(
    'PIX_AUTOMATIC_RECURRING_',
    'ELIGIBILITY_UPDATED',
    shows('account', 'PIX Automático works for the account, or does not any more'),
  ),
  ...each(
    'PIX_AUTOMATIC_RECURRING_AUTHORIZATION_',
    'CREATED ACTIVATED CANCELLED EXPIRED REFUSED',
    authorizes('one that the platform asked for is queried: its state follows'),
  ),
  ...each(
    'PIX_AUTOMATIC_RECURRING_PAYMENT_INSTRUCTION_',
    'CREATED SCHEDULED',
    nothing('the debit is to come'),
  ),
  ...each(
    'PIX_AUTOMATIC_RECURRING_PAYMENT_INSTRUCTION_',
    'REFUSED CANCELLED',
    debits('no debit comes: who pays is written to, where the invoice is still owed; its page stays'),
  ),
  ...each(
    'TRANSFER_',
    'CREATED PENDING IN_BANK_PROCESSING BLOCKED DONE FAILED CANCELLED',
    unused('a transfer'),
  ),
  ...each('BILL_', 'CREATED PENDING BANK_PROCESSING PAID CANCELLED FAILED REFUNDED', unused('a paid bill')),
  ...each(
    'RECEIVABLE_ANTICIPATION_',
    'CANCELLED SCHEDULED PENDING CREDITED DEBITED DENIED OVERDUE',
    unused('an anticipation'),
  ),
  ...each('MOBILE_PHONE_RECHARGE_', 'PENDING CANCELLED CONFIRMED REFUNDED', unused('a phone recharge')),
  ...each('INTERNAL_TRANSFER_', 'CREDIT DEBIT', unused('a transfer')),
  ...accountEvents(),
  ...each('ACCESS_TOKEN_', 'CREATED ENABLED', nothing('the keys that are entered here stay as they are')),
  ...each(
    'ACCESS_TOKEN_',
    'DELETED DISABLED EXPIRED EXPIRING_SOON',
    shows('account', 'the key may be the one that is entered here'),
  ),
  BALANCE_VALUE_BLOCKED: shows(
    'account',
    'money of the account is held back, for a dispute of a PIX or by a court',
  ),
  BALANCE_VALUE_UNBLOCKED: nothing('the money is free again'),
}

function accountEvents(): Record<string, EventMeaning> {
  const parts = ['BANK_ACCOUNT_INFO', 'COMMERCIAL_INFO', 'DOCUMENT', 'GENERAL_APPROVAL']
  return Object.assign(
    {},
    ...parts.map(part => ({
      ...each(`ACCOUNT_STATUS_${part}_`, 'APPROVED AWAITING_APPROVAL PENDING', nothing('the account works')),
      ...each(`ACCOUNT_STATUS_${part}_`, 'REJECTED', shows('account', 'Asaas may stop the account')),
    })),
    each(
      'ACCOUNT_STATUS_COMMERCIAL_INFO_',
      'EXPIRED EXPIRING_SOON',
      shows('account', 'Asaas may stop the account'),
    ),
  )
}
