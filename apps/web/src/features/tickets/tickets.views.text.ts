import { texts } from '../../platform/text.ts'

/** Texts of views. */
export const useViewText = texts({
  snoozed: ['Adiados', 'Snoozed', 'Pospuestos'],
  following: ['Seguindo', 'Following', 'Siguiendo'],
  none: [
    'Escolha filtros ou faça uma busca e salve aqui com um nome.',
    'Choose filters or search, and save them here under a name.',
    'Elija filtros o haga una búsqueda y guárdelos aquí con un nombre.',
  ],
  save: ['Salvar os filtros atuais', 'Save the current filters', 'Guardar los filtros actuales'],
  name: ['Nome da visão', 'Name of the view', 'Nombre de la vista'],
  forAll: ['Para todos da empresa', 'For everyone of the company', 'Para todos en la empresa'],
  add: ['Salvar', 'Save', 'Guardar'],
  remove: ['Excluir a visão {name}', 'Delete the view {name}', 'Eliminar la vista {name}'],
  saved: ['Visão salva', 'View saved', 'Vista guardada'],
})
