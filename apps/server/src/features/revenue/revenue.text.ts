import type { InvoiceState } from '@balcao/contract/ledger.rules.ts'
import type { ReceiptKind } from '@balcao/contract/revenue.rules.ts'
import type { ExportLanguage } from '@balcao/contract/tickets.ts'

type Texts = [pt: string, en: string, es: string]

const heads = {
  receipts: [
    ['Dia', 'Day', 'Día'],
    ['Lançamento', 'Entry', 'Asiento'],
    ['Número', 'Number', 'Número'],
    ['Empresa', 'Company', 'Empresa'],
    ['CPF ou CNPJ', 'CPF or CNPJ', 'CPF o CNPJ'],
    ['Valor (R$)', 'Value (R$)', 'Valor (R$)'],
    ['Origem', 'Source', 'Origen'],
    ['Id no provedor', 'Id at the provider', 'Id en el proveedor'],
    ['Registrado por', 'Recorded by', 'Registrado por'],
    ['Observação', 'Remark', 'Observación'],
  ],
  invoices: [
    ['Número', 'Number', 'Número'],
    ['Empresa', 'Company', 'Empresa'],
    ['CPF ou CNPJ', 'CPF or CNPJ', 'CPF o CNPJ'],
    ['Plano', 'Plan', 'Plan'],
    ['Início do período', 'First day of the period', 'Inicio del período'],
    ['Fim do período', 'Last day of the period', 'Fin del período'],
    ['Vencimento', 'Due', 'Vencimiento'],
    ['Valor (R$)', 'Value (R$)', 'Valor (R$)'],
    ['Valor pago (R$)', 'Paid (R$)', 'Valor pagado (R$)'],
    ['Estado', 'State', 'Estado'],
    ['Pago em', 'Paid on', 'Pagado el'],
    ['Motivo do cancelamento', 'Reason of the cancellation', 'Motivo de la cancelación'],
    ['Cobrança avulsa', 'One-off charge', 'Cobro único'],
    ['Desconto (R$)', 'Discount (R$)', 'Descuento (R$)'],
    ['Multa e juros (R$)', 'Fine and interest (R$)', 'Multa e intereses (R$)'],
  ],
} satisfies Record<string, Texts[]>

const kinds: Record<ReceiptKind, Texts> = {
  payment: ['Pagamento', 'Payment', 'Pago'],
  credit: ['Crédito', 'Credit', 'Crédito'],
  refund: ['Devolução', 'Refund', 'Devolución'],
}

const states: Record<InvoiceState | 'overdue', Texts> = {
  open: ['Em aberto', 'Open', 'Abierta'],
  overdue: ['Vencida', 'Overdue', 'Vencida'],
  partlyPaid: ['Paga em parte', 'Partly paid', 'Pagada en parte'],
  paid: ['Paga', 'Paid', 'Pagada'],
  cancelled: ['Cancelada', 'Cancelled', 'Cancelada'],
  refunded: ['Devolvida', 'Refunded', 'Devuelta'],
}

const sources: Record<'manual' | 'credit', Texts> = {
  manual: ['Registro manual', 'By hand', 'Registro manual'],
  credit: ['Crédito', 'Credit', 'Crédito'],
}

const former: Texts = ['Empresa excluída', 'Deleted company', 'Empresa eliminada']

const names = {
  receipts: ['recebimentos', 'receipts', 'cobros'],
  invoices: ['faturas', 'invoices', 'facturas'],
} satisfies Record<string, Texts>

/** The texts of a file in a language. */
export function revenueWords(language: ExportLanguage) {
  const at = { ptBR: 0, en: 1, es: 2 }[language]
  return {
    head: (what: keyof typeof heads) => heads[what].map(texts => texts[at]!),
    name: (what: keyof typeof names) => names[what][at]!,
    former: former[at]!,
    kind: (kind: ReceiptKind) => kinds[kind][at]!,
    state: (state: keyof typeof states) => states[state][at]!,
    source: (source: keyof typeof sources) => sources[source][at]!,
  }
}
