import { texts } from '../../platform/text.ts'

export const useCouponText = texts({
  coupons: ['Cupons da loja', 'Coupons of the store', 'Cupones de la tienda'],
  noCoupons: ['Nenhum cupom', 'No coupons', 'Ningún cupón'],
  addCoupon: ['Criar cupom', 'Add a coupon', 'Crear cupón'],
  couponAdded: ['Cupom criado', 'The coupon was added', 'Cupón creado'],
  code: ['Código', 'Code', 'Código'],
  gives: ['Desconto', 'Discount', 'Descuento'],
  uses: ['Usos', 'Uses', 'Usos'],
  usesOf: ['{uses} de {most}', '{uses} of {most}', '{uses} de {most}'],
  mostUses: ['Máximo de usos', 'Uses at most', 'Máximo de usos'],
  emptyForNone: ['Vazio: sem limite', 'Empty: no limit', 'Vacío: sin límite'],
  endsOn: ['Último dia', 'Last day', 'Último día'],
  close: ['Fechar', 'Close', 'Cerrar'],
  closeNamed: ['Fechar o cupom {code}', 'Close coupon {code}', 'Cerrar el cupón {code}'],
  closed: ['fechado', 'closed', 'cerrado'],
  percent: ['Percentual', 'Percentage', 'Porcentaje'],
  orValue: ['ou valor', 'or value', 'o valor'],
  periods: ['Períodos', 'Periods', 'Períodos'],
})
