import { texts } from '../../platform/text.ts'

/** Texts of the reports about ads and about what Meta charges. */
export const useSourcesText = texts({
  referrals: ['Anúncios e produtos', 'Ads and products', 'Anuncios y productos'],
  referralsHint: [
    'Quantos atendimentos vieram de cada anúncio, publicação ou produto, e em que situação estão.',
    'How many tickets each ad, post or product brought, and their status.',
    'Cuántas atenciones vinieron de cada anuncio, publicación o producto, y en qué situación están.',
  ],
  referralsMean: [
    'Cada atendimento conta uma vez por anúncio, no momento da primeira mensagem que veio dele. As situações são as de agora.',
    'Each ticket counts once for an ad, at the time of the first message that came from it. Statuses are those of now.',
    'Cada atención cuenta una vez por anuncio, en el momento del primer mensaje que vino de él. Las situaciones son las de ahora.',
  ],
  noReferrals: [
    'Nenhum cliente chegou por anúncio, publicação ou produto neste período.',
    'No customer came by an ad, post or product in this period.',
    'Ningún cliente llegó por anuncio, publicación o producto en este período.',
  ],
  type: ['Tipo', 'Type', 'Tipo'],
  source: ['Origem', 'Source', 'Origen'],
  ad: ['Anúncio', 'Ad', 'Anuncio'],
  post: ['Publicação', 'Post', 'Publicación'],
  product: ['Produto', 'Product', 'Producto'],
  unknownSource: ['Não informada pelo WhatsApp', 'Not told by WhatsApp', 'No informado por WhatsApp'],
  cameAt: ['Chegou em', 'Came', 'Llegó el'],
  pauses: ['Pausas', 'Pauses', 'Pausas'],
  pausesHint: [
    'Quantas pausas cada atendente fez, por motivo, quanto duraram e quanto tempo esteve disponível.',
    'How many pauses each attendant took, by reason, how long they lasted and how long they were available.',
    'Cuántas pausas hizo cada agente, por motivo, cuánto duraron y cuánto tiempo estuvo disponible.',
  ],
  prices: ['Mensagens da API oficial', 'Messages of the official API', 'Mensajes de la API oficial'],
  pricesHint: [
    'Quantas mensagens a Meta entregou e cobra, por mês, conexão e categoria.',
    'How many messages Meta delivered and charges for, by month, connection and category.',
    'Cuántos mensajes entregó y cobra Meta, por mes, conexión y categoría.',
  ],
  pricesMean: [
    'Mensagens entregues, pelo horário da empresa, como a Meta as classificou. Os preços estão na tabela da Meta. Guardado por 400 dias.',
    'Delivered messages, by the company’s clock, as Meta classified them. Prices are in Meta’s table. Kept for 400 days.',
    'Mensajes entregados, por el horario de la empresa, como los clasificó Meta. Los precios están en la tabla de Meta. Se guarda 400 días.',
  ],
  noPrices: [
    'Nenhuma mensagem entregue pela API oficial neste período.',
    'No message was delivered over the official API in this period.',
    'Ningún mensaje entregado por la API oficial en este período.',
  ],
  month: ['Mês', 'Month', 'Mes'],
  category: ['Categoria', 'Category', 'Categoría'],
  charged: ['Cobrança', 'Charge', 'Cobro'],
  chargedOf: ['{count} cobradas', '{count} charged', '{count} cobrados'],
  messages: ['Mensagens', 'Messages', 'Mensajes'],
  isCharged: ['Cobrada', 'Charged', 'Cobrado'],
  isFree: ['Grátis', 'Free', 'Gratis'],
  free_customer_service: [
    'Grátis: janela de 24 horas',
    'Free: 24-hour window',
    'Gratis: ventana de 24 horas',
  ],
  free_entry_point: ['Grátis: veio de um anúncio', 'Free: came from an ad', 'Gratis: vino de un anuncio'],
  marketing: ['Marketing', 'Marketing', 'Marketing'],
  marketing_lite: ['Marketing (MM Lite)', 'Marketing (MM Lite)', 'Marketing (MM Lite)'],
  utility: ['Utilidade', 'Utility', 'Utilidad'],
  authentication: ['Autenticação', 'Authentication', 'Autenticación'],
  authentication_international: [
    'Autenticação internacional',
    'International authentication',
    'Autenticación internacional',
  ],
  service: ['Atendimento', 'Service', 'Atención'],
  referral_conversion: ['Entrada por anúncio', 'Ad entry point', 'Entrada por anuncio'],
})
