import { texts } from '../../platform/text.ts'

export const useHoursText = texts({
  title: ['Expediente', 'Business hours', 'Horario de atención'],
  hint: [
    'Os relatórios também medem os tempos dentro destes horários. Vale para o que for finalizado a partir de agora.',
    'Reports also measure times within these hours. It counts for what is closed from now on.',
    'Los informes también miden los tiempos dentro de estos horarios. Vale para lo que se finalice desde ahora.',
  ],
  weekday: ['Dia da semana', 'Day of the week', 'Día de la semana'],
  opens: ['Abre', 'Opens', 'Abre'],
  closes: ['Fecha', 'Closes', 'Cierra'],
  addHours: ['Adicionar horário', 'Add hours', 'Agregar horario'],
  holiday: ['Feriado', 'Holiday', 'Feriado'],
  name: ['Nome do feriado', 'Name of the holiday', 'Nombre del feriado'],
  addHoliday: ['Adicionar feriado', 'Add holiday', 'Agregar feriado'],
  removeHours: ['Remover horário', 'Remove hours', 'Quitar horario'],
  removeHoliday: ['Remover feriado', 'Remove holiday', 'Quitar feriado'],
  own: ['Horário próprio', 'Hours of its own', 'Horario propio'],
  ownHolidays: ['Feriados próprios', 'Holidays of its own', 'Feriados propios'],
  ownHolidaysHint: [
    'Valem em vez dos feriados da empresa; sem nenhum, abre também nos feriados.',
    'They count instead of the company’s holidays; without any it is open on holidays too.',
    'Valen en vez de los feriados de la empresa; sin ninguno, abre también en feriados.',
  ],
  never: [
    'Sem nenhum horário, está sempre fora do expediente.',
    'Without any hours it is always closed.',
    'Sin ningún horario, está siempre cerrado.',
  ],
  wrongHours: [
    'Cada horário fecha depois de abrir, e nenhum começa antes de outro terminar.',
    'All hours close after they open, and none begin before others end.',
    'Cada horario cierra después de abrir, y ninguno empieza antes de que otro termine.',
  ],
  wrongHolidays: [
    'Cada feriado tem um dia só seu.',
    'Each holiday has a day of its own.',
    'Cada feriado tiene su propio día.',
  ],
  save: ['Salvar expediente', 'Save hours', 'Guardar horario'],
  saved: ['Expediente salvo.', 'Business hours saved.', 'Horario guardado.'],
  failed: ['Não foi possível carregar.', 'It could not be loaded.', 'No se pudo cargar.'],
  wrong: [
    'Confira: cada horário fecha depois de abrir, nenhum começa antes de outro terminar, e cada feriado tem um dia só seu.',
    'Please check: all hours close after they open, none begin before others end, and each holiday has a day of its own.',
    'Verifique: cada horario cierra después de abrir, ninguno empieza antes de que otro termine, y cada feriado tiene su propio día.',
  ],
})
