import { texts } from '../../platform/text.ts'

/** Texts of the filters of the search and of the bulk resolve. */
export const useFilterText = texts({
  filters: ['Filtros', 'Filters', 'Filtros'],
  filtersOn_one: ['Filtros: {count} ativo', 'Filters: {count} on', 'Filtros: {count} activo'],
  filtersOn: ['Filtros: {count} ativos', 'Filters: {count} on', 'Filtros: {count} activos'],
  contact: ['Contato', 'Contact', 'Contacto'],
  attendant: ['Atendente', 'Attendant', 'Agente'],
  attendants: ['Atendentes', 'Attendants', 'Agentes'],
  queues: ['Filas', 'Queues', 'Colas'],
  noQueue: ['Sem fila', 'No queue', 'Sin cola'],
  tags: ['Etiquetas', 'Tags', 'Etiquetas'],
  categories: ['Categorias do contato', 'Categories of the contact', 'Categorías del contacto'],
  nothing: ['Nada foi encontrado', 'Nothing was found', 'No se encontró nada'],
  from: ['Abertos desde', 'Opened since', 'Abiertos desde'],
  until: ['Abertos até', 'Opened until', 'Abiertos hasta'],
  fromStart: ['desde o início', 'since the beginning', 'desde el inicio'],
  untilNow: ['agora', 'now', 'ahora'],
  clear: ['Limpar filtros', 'Clear filters', 'Limpiar filtros'],
  recent: ['Buscas recentes', 'Recent searches', 'Búsquedas recientes'],
  forgetRecent: ['Apagar buscas recentes', 'Clear recent searches', 'Borrar búsquedas recientes'],
  widen: ['Buscar em todo o período', 'Search all times', 'Buscar en todo el período'],
  searchedSince: [
    'Só atendimentos abertos desde {day}.',
    'Only tickets opened since {day}.',
    'Solo atenciones abiertas desde {day}.',
  ],
  since: ['Abertos desde {day}', 'Opened since {day}', 'Abiertos desde {day}'],
  contactsFailed: [
    'Falha na busca de contatos',
    'The contact search failed',
    'Falló la búsqueda de contactos',
  ],
  usersFailed: [
    'Não foi possível carregar os usuários',
    'The users could not be loaded',
    'No se pudieron cargar los usuarios',
  ],
})
