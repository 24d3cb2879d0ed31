import { texts } from '../../platform/text.ts'

/** Texts of payments. */
export const usePaymentCardText = texts({
  pix: ['Chave Pix', 'Pix key', 'Clave Pix'],
  request: ['Pedido de pagamento', 'Payment request', 'Solicitud de pago'],
  sent: ['Pagamento enviado', 'Payment sent', 'Pago enviado'],
  review: ['Pedido a pagar', 'Order to be paid', 'Pedido por pagar'],
  status: ['Situação do pedido', 'State of the order', 'Estado del pedido'],
  invoice: ['Fatura', 'Invoice', 'Factura'],
  invite: [
    'Convite para pagar pelo WhatsApp',
    'Invitation to pay by WhatsApp',
    'Invitación a pagar por WhatsApp',
  ],
  declined: ['Pedido de pagamento recusado', 'Payment request refused', 'Solicitud de pago rechazada'],
  canceled: ['Cancelado', 'Cancelled', 'Cancelado'],
  withdrawn: ['Pedido de pagamento cancelado', 'Payment request cancelled', 'Solicitud de pago cancelada'],
  total: ['Total: {amount}', 'Total: {amount}', 'Total: {amount}'],
  key: ['Chave', 'Key', 'Clave'],
  keyOf: ['Chave ({kind})', 'Key ({kind})', 'Clave ({kind})'],
  reference: ['Referência: {reference}', 'Reference: {reference}', 'Referencia: {reference}'],
  CPF: ['CPF', 'CPF', 'CPF'],
  CNPJ: ['CNPJ', 'CNPJ', 'CNPJ'],
  EMAIL: ['e-mail', 'e-mail', 'correo'],
  PHONE: ['celular', 'mobile number', 'celular'],
  EVP: ['aleatória', 'random', 'aleatoria'],
  pending: ['Pendente', 'Pending', 'Pendiente'],
  processing: ['Em processamento', 'In process', 'En proceso'],
  completed: ['Concluído', 'Completed', 'Completado'],
  captured: ['Pago', 'Paid', 'Pagado'],
  failed: ['Não foi pago', 'Not paid', 'No se pagó'],
  shipped: ['Enviado', 'Shipped', 'Enviado'],
})
