import type { AutopayKind } from '@balcao/contract/autopay.ts'
import { type UnchargedReason, unchargedReasonOf } from '@balcao/contract/ledger.rules.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import type { Letter } from '../../platform/outbound/letter.ts'
import type { InvoiceRow } from '../invoices/invoices.queries.ts'

/** Notices to companies are Portuguese, as the templates of the others. */
const NAMES: Record<AutopayKind, string> = { pix: 'Pix Automático', card: 'cartão de crédito' }

const REASONS: Partial<Record<UnchargedReason, string>> = {
  unscheduled: 'o débito não pôde ser agendado',
  cardNotAccepted: 'o cartão não foi aceito',
  debitCancelled: 'o débito foi cancelado',
  noFunds: 'sem saldo ou limite no dia do débito',
  accountClosed: 'a conta do pagador foi encerrada',
  accountBlocked: 'a conta do pagador está bloqueada',
  aboveLimit: 'o valor passa do limite que o pagador definiu no banco',
  bankSilent: 'o banco do pagador não respondeu',
  documentDiffers: 'o CPF ou CNPJ não é o da autorização',
}

interface Failed {
  kind: AutopayKind
  problem: string
  invoice: Pick<InvoiceRow, 'value' | 'paidValue' | 'dueDate'>
}

export const autopayFailedLetter = ({ kind, problem, invoice }: Failed): Letter => ({
  language: 'ptBR',
  subject: 'Fatura não paga pelo pagamento automático',
  before: [
    'Olá.',
    `A fatura de ${brl(invoice.value - invoice.paidValue)} com vencimento em ${invoice.dueDate.split('-').reverse().join('/')} não foi paga por ${NAMES[kind]}.`,
    ...(problem ? [`Motivo: ${inWords(problem)}`] : []),
    'Pague pelo link da fatura em Minha empresa > Faturas.',
  ],
  button: null,
  after: [],
})

export const autopayEndedLetter = ({ kind }: Pick<Failed, 'kind'>): Letter => ({
  language: 'ptBR',
  subject: 'Pagamento automático encerrado',
  before: [
    'Olá.',
    `As faturas da sua empresa não são mais pagas por ${NAMES[kind]}. Cada uma tem o seu link de pagamento em Minha empresa > Faturas.`,
    'Para voltar, escolha o pagamento automático de novo em Minha empresa.',
  ],
  button: null,
  after: [],
})

function inWords(problem: string): string {
  const reason = unchargedReasonOf(problem)
  return (reason && REASONS[reason]) ?? problem
}
