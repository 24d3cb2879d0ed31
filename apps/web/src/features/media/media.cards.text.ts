import { texts } from '../../platform/text.ts'

/** Texts of polls, events, forms and orders. */
export const useCardText = texts({
  choices: ['Opções', 'Choices', 'Opciones'],
  one: ['Uma opção', 'One choice', 'Una opción'],
  several: ['Uma ou mais opções', 'One or more choices', 'Una o más opciones'],
  votes_one: ['{count} voto', '{count} vote', '{count} voto'],
  votes: ['{count} votos', '{count} votes', '{count} votos'],
  voted_one: ['{count} pessoa votou', '{count} person voted', '{count} persona votó'],
  voted: ['{count} pessoas votaram', '{count} people voted', '{count} personas votaron'],
  allVoters: ['Ver todos os que votaram', 'See everyone who voted', 'Ver todos los que votaron'],
  canceled: ['Evento cancelado', 'Event cancelled', 'Evento cancelado'],
  going: ['Vão', 'Going', 'Van'],
  maybe: ['Talvez', 'Maybe', 'Quizás'],
  notGoing: ['Não vão', 'Not going', 'No van'],
  withGuests: ['{name} +{count}', '{name} +{count}', '{name} +{count}'],
  noReplies: ['Ainda sem respostas', 'No replies yet', 'Aún sin respuestas'],
  form: ['Formulário respondido', 'Form filled in', 'Formulario respondido'],
  order: ['Pedido', 'Order', 'Pedido'],
  product: ['produto', 'product', 'producto'],
  items_one: ['{count} item', '{count} item', '{count} artículo'],
  items: ['{count} itens', '{count} items', '{count} artículos'],
  total: ['Total: {amount}', 'Total: {amount}', 'Total: {amount}'],
})
