import type { UnchargedReason } from '@balcao/contract/ledger.rules.ts'

/** Why a bank does not debit: https://docs.asaas.com/docs/motivos-de-recusa */
const REASONS = new Map<string, UnchargedReason>([
  ['', 'debitCancelled'],
  ['PAYMENT_OVERDUE', 'noFunds'],
  ['ACCOUNT_CLOSED', 'accountClosed'],
  ['ACCOUNT_BLOCKED', 'accountBlocked'],
  ['MAXIMUM_AMOUNT_EXCEEDED', 'aboveLimit'],
  ['EXTERNAL_INSTITUTION_ERROR', 'bankSilent'],
  ['PAYER_CPF_CNPJ_MISMATCH', 'documentDiffers'],
])

/** One of another reason keeps the provider's word for it. */
export const debitProblem = (reason: string): string => REASONS.get(reason) ?? reason
