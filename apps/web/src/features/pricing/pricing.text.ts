import { texts } from '../../platform/text.ts'

export const usePricingText = texts({
  pricing: ['Cobranças e descontos', 'Charges and discounts', 'Cobros y descuentos'],
  none: [
    'Nenhum desconto e nenhum reajuste.',
    'No discount and no readjustment.',
    'Ningún descuento ni reajuste.',
  ],
  charge: ['Cobrança avulsa', 'One-off charge', 'Cobro único'],
  chargeHint: [
    'Uma fatura à parte dos períodos do plano: não cobre dias e não muda com o plano.',
    'An invoice apart from the periods of the plan: it holds no days, and does not change with the plan.',
    'Una factura aparte de los períodos del plan: no cubre días y no cambia con el plan.',
  ],
  charged: ['Cobrança criada', 'The charge was made', 'Cobro creado'],
  description: ['Descrição', 'Description', 'Descripción'],
  value: ['Valor', 'Value', 'Valor'],
  due: ['Vencimento', 'Due', 'Vencimiento'],
  discount: ['Dar desconto', 'Give a discount', 'Dar descuento'],
  discountHint: [
    'Vale para os próximos períodos que forem faturados. Preencha o percentual ou o valor.',
    'It counts for the next periods that are invoiced. Fill in the percentage or the value.',
    'Vale para los próximos períodos que se facturen. Complete el porcentaje o el valor.',
  ],
  discounted: ['Desconto registrado', 'The discount was recorded', 'Descuento registrado'],
  reason: ['Motivo', 'Reason', 'Motivo'],
  discountIs: [
    '{what} de desconto: {used} de {periods} períodos',
    '{what} off: {used} of {periods} periods',
    '{what} de descuento: {used} de {periods} períodos',
  ],
  byCoupon: ['Cupom {code}', 'Coupon {code}', 'Cupón {code}'],
  over: ['terminou', 'ended', 'terminado'],
  end: ['Encerrar', 'End', 'Terminar'],
  endNamed: [
    'Encerrar o desconto de {what}',
    'End the discount of {what}',
    'Terminar el descuento de {what}',
  ],
  ended: ['Desconto encerrado', 'The discount was ended', 'Descuento terminado'],
  readjust: ['Reajustar preço', 'Readjust the price', 'Reajustar precio'],
  readjustHint: [
    'Quem paga é avisado hoje por e-mail. Vale para o primeiro período que começar a partir do dia, no mínimo 30 dias depois de hoje.',
    'Who pays is told today by e-mail. It counts for the first period that begins from that day on, at least 30 days from today.',
    'Quien paga recibe hoy un aviso por correo. Vale para el primer período que comience desde ese día, al menos 30 días después de hoy.',
  ],
  readjusted: ['Reajuste anunciado', 'The readjustment is announced', 'Reajuste anunciado'],
  rate: [
    'Percentual ou índice (como 5,23)',
    'Percentage or index (such as 5,23)',
    'Porcentaje o índice (como 5,23)',
  ],
  from: ['A partir de', 'From', 'Desde'],
  readjustmentIs: [
    'Reajuste de {rate} % a partir de {day}',
    'Readjustment of {rate} % from {day}',
    'Reajuste de {rate} % desde el {day}',
  ],
  withdraw: ['Desfazer reajuste', 'Withdraw the readjustment', 'Deshacer reajuste'],
  withdrawn: ['Reajuste desfeito', 'The readjustment was withdrawn', 'Reajuste deshecho'],
})
