import { texts } from '../../platform/text.ts'

/** Texts of starting a conversation with a contact. */
export const useStartText = texts({
  newTicket: ['Novo atendimento', 'New ticket', 'Nueva atención'],
  start: ['Iniciar', 'Start', 'Iniciar'],
  contact: ['Contato', 'Contact', 'Contacto'],
  searchContact: ['Busque por nome ou número', 'Search by name or number', 'Busque por nombre o número'],
  contactsFailed: [
    'Falha na busca de contatos',
    'The contact search failed',
    'Falló la búsqueda de contactos',
  ],
  foundContacts: ['Encontrados', 'Found', 'Encontrados'],
  addContact: ['Adicionar “{text}”', 'Add “{text}”', 'Agregar “{text}”'],
  name: ['Nome', 'Name', 'Nombre'],
  number: ['Número com país e DDD', 'Number with country and area code', 'Número con código de país'],
  queue: ['Fila', 'Queue', 'Cola'],
  chooseQueue: ['Escolha a fila', 'Choose the queue', 'Elija la cola'],
  connection: ['Conexão (opcional)', 'Connection (optional)', 'Conexión (opcional)'],
  defaultConnection: ['A padrão', 'The default', 'La predeterminada'],
  selectQueue: ['Selecione uma fila', 'Select a queue', 'Seleccione una cola'],
  already: [
    'Este contato já estava na fila aguardando atendimento',
    'This contact was already waiting in the queue',
    'Este contacto ya esperaba en la cola',
  ],
  mine: [
    'Você já tem um ticket aberto para este contato',
    'You already have an open ticket for this contact',
    'Ya tiene una atención abierta para este contacto',
  ],
  others: [
    '{name} já atende este contato em {queue}',
    '{name} already attends this contact in {queue}',
    '{name} ya atiende a este contacto en {queue}',
  ],
  noQueue: ['Sem fila', 'No queue', 'Sin cola'],
  view: ['Visualizar ticket', 'View ticket', 'Ver atención'],
})
