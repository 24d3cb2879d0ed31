import { texts } from '../../platform/text.ts'

export const useNoticePageText = texts({
  title: ['Fatura de {value}', 'Invoice of {value}', 'Factura de {value}'],
  due: ['Vencimento: {day}', 'Due on {day}', 'Vencimiento: {day}'],
  paid: ['Esta fatura já foi paga', 'This invoice has been paid', 'Esta factura ya fue pagada'],
  noWay: [
    'Fale com quem lhe enviou este aviso para combinar o pagamento.',
    'Ask whoever sent you this notice how to pay.',
    'Hable con quien le envió este aviso para acordar el pago.',
  ],
  leading: ['Abrindo o pagamento…', 'Opening the payment…', 'Abriendo el pago…'],
  gone: ['Este aviso não existe mais', 'This notice is not here any more', 'Este aviso ya no existe'],
  goneHint: [
    'Confira o endereço, ou peça um novo a quem o enviou.',
    'Check the address, or ask whoever sent it for a new one.',
    'Revise la dirección, o pida una nueva a quien la envió.',
  ],
  away: ['Não foi possível abrir o aviso', 'The notice could not be opened', 'No se pudo abrir el aviso'],
  again: ['Tentar de novo', 'Try again', 'Intentar de nuevo'],
})
