import { texts } from '../../platform/text.ts'

export const useSecretUseText = texts({
  uses: [
    'O que programas fizeram em seu nome (90 dias)',
    'What programs did in this name (90 days)',
    'Lo que programas hicieron en su nombre (90 días)',
  ],
  none: ['Nenhuma chamada', 'No call', 'Ninguna llamada'],
  failed: [
    'As chamadas não puderam ser carregadas.',
    'The calls could not be loaded.',
    'No se pudieron cargar las llamadas.',
  ],
  apiToken: ['Token {name}', 'Token {name}', 'Token {name}'],
  campaignSetup: ['Configuração {name}', 'Setup {name}', 'Configuración {name}'],
  send: ['Envio', 'Sending', 'Envío'],
  status: ['Consulta de envio', 'Status of a message', 'Consulta de envío'],
  campaign: ['Criação de campanha', 'Making a campaign', 'Creación de campaña'],
  secret: ['Com', 'With', 'Con'],
  call: ['Chamada', 'Call', 'Llamada'],
  network: ['De onde', 'From where', 'De dónde'],
  times: ['Vezes', 'Times', 'Veces'],
  since: ['Desde', 'Since', 'Desde'],
  last: ['Última', 'Last', 'Última'],
  others: ['outras redes', 'other networks', 'otras redes'],
})
