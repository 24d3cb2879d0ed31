import { texts } from '../../platform/text.ts'

export const useAllInvoicesText = texts({
  allInvoices: [
    'Faturas de todas as empresas',
    'Invoices of all companies',
    'Facturas de todas las empresas',
  ],
  company: ['Empresa', 'Company', 'Empresa'],
  plan: ['Plano', 'Plan', 'Plan'],
  allPlans: ['Todos os planos', 'All plans', 'Todos los planes'],
  kind: ['Tipo', 'Kind', 'Tipo'],
  allKinds: ['Todos os tipos', 'All kinds', 'Todos los tipos'],
  oneOff: ['Cobranças avulsas', 'One-off charges', 'Cobros únicos'],
  period: ['Período', 'Period', 'Período'],
  status: ['Status', 'Status', 'Estado'],
  value: ['Valor', 'Value', 'Valor'],
  due: ['Vencimento', 'Due', 'Vencimiento'],
  paidOn: ['Pagamento', 'Paid', 'Pago'],
  none: ['Nenhuma fatura', 'No invoices', 'Ninguna factura'],
  pending: ['A vencer', 'Not yet due', 'Por vencer'],
  overdue: ['Vencidas', 'Overdue', 'Vencidas'],
  paid: ['Pagas', 'Paid', 'Pagadas'],
  cancelled: ['Canceladas', 'Cancelled', 'Canceladas'],
  invoiceCount_one: ['{count} fatura', '{count} invoice', '{count} factura'],
  invoiceCount: ['{count} faturas', '{count} invoices', '{count} facturas'],
})
