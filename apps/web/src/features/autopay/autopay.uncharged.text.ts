import { texts } from '../../platform/text.ts'

/** Why an invoice is not charged, by UNCHARGED_REASONS. */
export const useUnchargedText = texts({
  belowLeast: [
    'Falta menos do que o mínimo de uma cobrança',
    'Less is left than the least that can be charged',
    'Falta menos que el mínimo de un cobro',
  ],
  removed: [
    'A cobrança foi removida no provedor',
    'The charge was removed at the provider',
    'El cobro fue eliminado en el proveedor',
  ],
  unscheduled: [
    'O débito não pôde ser agendado: pague pelo link',
    'The debit could not be scheduled: pay by the link',
    'El débito no se pudo programar: pague con el enlace',
  ],
  cardNotAccepted: ['O cartão não foi aceito', 'The card was not accepted', 'La tarjeta no fue aceptada'],
  debitCancelled: ['O débito foi cancelado', 'The debit was cancelled', 'El débito fue cancelado'],
  noFunds: [
    'Sem saldo ou limite no dia do débito',
    'No funds or limit on the day of the debit',
    'Sin saldo o límite en el día del débito',
  ],
  accountClosed: [
    'A conta do pagador foi encerrada',
    'The account of the payer was closed',
    'La cuenta del pagador fue cerrada',
  ],
  accountBlocked: [
    'A conta do pagador está bloqueada',
    'The account of the payer is blocked',
    'La cuenta del pagador está bloqueada',
  ],
  aboveLimit: [
    'O valor passa do limite que o pagador definiu no banco',
    'The sum is above the limit that the payer set at the bank',
    'El valor supera el límite que el pagador definió en el banco',
  ],
  bankSilent: [
    'O banco do pagador não respondeu',
    'The bank of the payer did not answer',
    'El banco del pagador no respondió',
  ],
  documentDiffers: [
    'O CPF ou CNPJ não é o da autorização',
    'The CPF or CNPJ is not the one of the authorization',
    'El CPF o CNPJ no es el de la autorización',
  ],
})
