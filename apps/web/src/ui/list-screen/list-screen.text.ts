import { texts } from '../../platform/text.ts'

/** What every list says. */
export const useListText = texts({
  search: ['Buscar', 'Search', 'Buscar'],
  shown_one: ['{count} registro', '{count} row', '{count} registro'],
  shown: ['{count} registros', '{count} rows', '{count} registros'],
  moreThan: ['Mais de {count} registros', 'More than {count} rows', 'Más de {count} registros'],
  loading: ['Carregando…', 'Loading…', 'Cargando…'],
  failed: ['A lista não pôde ser carregada', 'The list could not be loaded', 'No se pudo cargar la lista'],
  again: ['Tentar de novo', 'Try again', 'Intentar de nuevo'],
  noneFound: ['Nada foi encontrado', 'Nothing was found', 'No se encontró nada'],
  editNamed: ['Editar {name}', 'Edit {name}', 'Editar {name}'],
  removeNamed: ['Excluir {name}', 'Delete {name}', 'Eliminar {name}'],
  remove: ['Excluir', 'Delete', 'Eliminar'],
  removed: ['Excluído com sucesso', 'Deleted', 'Eliminado con éxito'],
  save: ['Salvar', 'Save', 'Guardar'],
  added: ['Criado com sucesso', 'Created', 'Creado con éxito'],
  saved: ['Salvo com sucesso', 'Saved', 'Guardado con éxito'],
})
