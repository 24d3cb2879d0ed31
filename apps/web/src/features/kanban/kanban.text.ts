import { texts } from '../../platform/text.ts'

export const useKanbanText = texts({
  title: ['Kanban', 'Kanban', 'Kanban'],
  back: ['Voltar aos atendimentos', 'Back to the tickets', 'Volver a las atenciones'],
  first: ['Em aberto', 'Open', 'Abiertos'],
  moved: ['Alteração realizada com Sucesso!', 'Changed successfully!', '¡Cambio realizado con éxito!'],
  wentTo: ['{name}: movido para {lane}', '{name}: moved to {lane}', '{name}: movido a {lane}'],
  wentToMany: [
    '{count} atendimentos movidos para {lane}',
    '{count} tickets moved to {lane}',
    '{count} atenciones movidas a {lane}',
  ],
  moveTo: ['Mover para…', 'Move to…', 'Mover a…'],
  moveOne: ['Mover {name} para…', 'Move {name} to…', 'Mover {name} a…'],
  moveMany: ['Mover {count} atendimentos para…', 'Move {count} tickets to…', 'Mover {count} atenciones a…'],
  here: ['está aqui', 'is here', 'está aquí'],
  select: ['Selecionar {name}', 'Select {name}', 'Seleccionar {name}'],
  selected_one: ['Um selecionado', 'One selected', 'Uno seleccionado'],
  selected: ['{count} selecionados', '{count} selected', '{count} seleccionados'],
  clear: ['Limpar seleção', 'Clear selection', 'Limpiar selección'],
  tooMany: ['Até {count} de cada vez.', 'Up to {count} at a time.', 'Hasta {count} a la vez.'],
  search: ['Buscar contato ou mensagem', 'Search a contact or message', 'Buscar contacto o mensaje'],
  filters: ['Filtros', 'Filters', 'Filtros'],
  clearFilters: ['Limpar filtros', 'Clear filters', 'Limpiar filtros'],
  empty: ['Nenhum atendimento', 'No tickets', 'Ninguna atención'],
  keys: [
    'Setas percorrem os cartões, Espaço move, Enter abre.',
    'Arrows walk through the cards, Space moves, Enter opens.',
    'Las flechas recorren las tarjetas, Espacio mueve, Enter abre.',
  ],
  cut: [
    'Mostrando os {count} que esperam há mais tempo.',
    'Showing the {count} that wait longest.',
    'Se muestran los {count} que esperan desde hace más tiempo.',
  ],
  noLanes: ['Ainda não há outras colunas', 'There are no other lanes yet', 'Aún no hay otras columnas'],
  noLanesHint: [
    'Em Etiquetas, ligue “Raia do quadro” nas que devem ser colunas.',
    'In Tags, switch “Lane of the board” on for those that should be lanes.',
    'En Etiquetas, active “Carril del tablero” en las que deben ser columnas.',
  ],
  loading: ['Carregando…', 'Loading…', 'Cargando…'],
})
