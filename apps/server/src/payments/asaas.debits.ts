/** Why a bank does not debit, in words for who pays: https://docs.asaas.com/docs/motivos-de-recusa */
const REASONS = new Map([
  ['PAYMENT_OVERDUE', 'sem saldo ou limite no dia do débito'],
  ['ACCOUNT_CLOSED', 'a conta do pagador foi encerrada'],
  ['ACCOUNT_BLOCKED', 'a conta do pagador está bloqueada'],
  ['MAXIMUM_AMOUNT_EXCEEDED', 'o valor passa do limite que o pagador definiu no banco'],
  ['EXTERNAL_INSTITUTION_ERROR', 'o banco do pagador não respondeu'],
  ['PAYER_CPF_CNPJ_MISMATCH', 'o CPF ou CNPJ não é o da autorização'],
])

export const debitProblem = (reason: string): string =>
  `Pix Automático: ${REASONS.get(reason) ?? (reason || 'o débito foi cancelado')}`
