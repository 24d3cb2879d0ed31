import { texts } from '../../platform/text.ts'

/** Texts of every list. */
export const useListText = texts({
  actions: ['Filtros e ações', 'Filters and actions', 'Filtros y acciones'],
  search: ['Buscar', 'Search', 'Buscar'],
  shown_one: ['{count} registro', '{count} row', '{count} registro'],
  shown: ['{count} registros', '{count} rows', '{count} registros'],
  moreThan: ['Mais de {count} registros', 'More than {count} rows', 'Más de {count} registros'],
  loading: ['Carregando…', 'Loading…', 'Cargando…'],
  failed: ['A lista não pôde ser carregada', 'The list could not be loaded', 'No se pudo cargar la lista'],
  notHad: ['Não foi possível carregar', 'It could not be loaded', 'No se pudo cargar'],
  again: ['Tentar de novo', 'Try again', 'Intentar de nuevo'],
  begin: ['Criar agora', 'Make one now', 'Crear ahora'],
  noneFound: ['Nada foi encontrado', 'Nothing was found', 'No se encontró nada'],
  noneFoundHint: [
    'Nenhum registro tem “{words}”. Confira como está escrito ou limpe a busca.',
    'No entry has “{words}”. Check the spelling or clear the search.',
    'Ningún registro tiene “{words}”. Revise cómo está escrito o borre la búsqueda.',
  ],
  editNamed: ['Editar {name}', 'Edit {name}', 'Editar {name}'],
  removeNamed: ['Excluir {name}', 'Delete {name}', 'Eliminar {name}'],
  removeByRight: [
    'Excluir vale para toda a empresa: peça a um administrador ou ao seu grupo de permissões',
    'Deleting is for the whole company: ask an administrator, or for it in your permission group',
    'Eliminar vale para toda la empresa: pídalo a un administrador o en su grupo de permisos',
  ],
  remove: ['Excluir', 'Delete', 'Eliminar'],
  removeUsed: ['Excluir mesmo assim', 'Delete anyway', 'Eliminar de todos modos'],
  usedBy: [
    'Usado por estes bots: {bots}. Os comandos deles ficam sem isto.',
    'Used by these bots: {bots}. Their commands are left without it.',
    'Usado por estos bots: {bots}. Sus comandos se quedan sin esto.',
  ],
  removed: ['Excluído com sucesso', 'Deleted', 'Eliminado con éxito'],
  save: ['Salvar', 'Save', 'Guardar'],
  added: ['Criado com sucesso', 'Created', 'Creado con éxito'],
  saved: ['Salvo com sucesso', 'Saved', 'Guardado con éxito'],
})
