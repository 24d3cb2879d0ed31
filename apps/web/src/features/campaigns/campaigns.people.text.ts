import { texts } from '../../platform/text.ts'

/** Sources of a campaign's recipients. */
export const usePeopleText = texts({
  people: ['Contatos', 'Contacts', 'Contactos'],
  source: ['De onde vêm', 'Where they come from', 'De dónde vienen'],
  pasted: ['Colar números', 'Paste numbers', 'Pegar números'],
  categories: ['Categorias', 'Categories', 'Categorías'],
  tags: ['Etiquetas', 'Tags', 'Etiquetas'],
  sheet: ['Planilha', 'Spreadsheet', 'Planilla'],
  numbers: ['Números, um por linha', 'Numbers, one per line', 'Números, uno por línea'],
  numbersHint: [
    'Com DDD; depois de um ponto e vírgula, o nome: 31999990000;Ana',
    'With the area code; after a semicolon, the name: 31999990000;Ana',
    'Con código de área; después de un punto y coma, el nombre: 31999990000;Ana',
  ],
  take: ['Adicionar números', 'Add numbers', 'Agregar números'],
  taken: ['Contatos adicionados', 'Contacts added', 'Contactos agregados'],
  tooMany: [
    'No máximo {count} números colados',
    'At most {count} pasted numbers',
    'Como máximo {count} números pegados',
  ],
  short: [
    'Curtos demais, ignorados: {rows}',
    'Too short, left out: {rows}',
    'Demasiado cortos, ignorados: {rows}',
  ],
  unclear: [
    'De que país? Escreva com + e o código, ou com o DDD entre parênteses: {rows}',
    'Of which country? Write with + and the code, or with the area code in parentheses: {rows}',
    '¿De qué país? Escriba con + y el código, o con el código de área entre paréntesis: {rows}',
  ],
  doubled_one: ['{count} repetido, ignorado', '{count} named twice, left out', '{count} repetido, ignorado'],
  doubled: ['{count} repetidos, ignorados', '{count} named twice, left out', '{count} repetidos, ignorados'],
  from: ['De', 'From', 'Desde'],
  until: ['Até', 'Until', 'Hasta'],
  tagsHint: [
    'Quem teve um atendimento com a etiqueta, iniciado nestes dias',
    'Whoever had a conversation with the tag that began within these days',
    'Quien tuvo una conversación con la etiqueta, iniciada en estos días',
  ],
  clear: ['Limpar', 'Clear', 'Limpiar'],
  choose: ['Escolher planilha', 'Choose a spreadsheet', 'Elegir planilla'],
  template: ['Baixar modelo', 'Save a template', 'Descargar modelo'],
  reading: ['Lendo {name}…', 'Reading {name}…', 'Leyendo {name}…'],
  sheetFailed: [
    'Não foi possível ler {name} como planilha.',
    '{name} could not be read as a spreadsheet.',
    'No se pudo leer {name} como planilla.',
  ],
  sheetGone: [
    'Esta planilha não está mais aqui: escolha o arquivo de novo',
    'This spreadsheet is no longer here: choose the file again',
    'Esta planilla ya no está aquí: elija el archivo de nuevo',
  ],
  sheetRead: [
    '{name}: {good} com número válido, {doubled} repetidos, {refused} recusados',
    '{name}: {good} with a valid number, {doubled} named twice, {refused} refused',
    '{name}: {good} con número válido, {doubled} repetidos, {refused} rechazados',
  ],
  refused: ['Salvar as linhas recusadas', 'Save the refused rows', 'Guardar las filas rechazadas'],
  chosen: ['Escolhidos', 'Chosen', 'Elegidos'],
  takeAway: ['Tirar: {source}', 'Take away: {source}', 'Quitar: {source}'],
  noRecipients: ['Ninguém ainda', 'Nobody yet', 'Nadie todavía'],
  already_one: [
    '{count} contato já está na campanha',
    '{count} contact is in the campaign already',
    '{count} contacto ya está en la campaña',
  ],
  already: [
    '{count} contatos já estão na campanha',
    '{count} contacts are in the campaign already',
    '{count} contactos ya están en la campaña',
  ],
  upTo: [
    'No máximo {count} pessoas: cada número entra uma vez, e quem pediu para não receber fica de fora.',
    'At most {count} people: each number once, and whoever opted out stays out.',
    'Como máximo {count} personas: cada número una vez, y quien pidió no recibir queda afuera.',
  ],
  endsAt: [
    'Neste ritmo ({perHour} por hora), a última sai no mínimo em {at}.',
    'At this pace ({perHour} an hour) the last one leaves at {at} at the earliest.',
    'A este ritmo ({perHour} por hora), la última sale como mínimo el {at}.',
  ],
  banned: [
    'O WhatsApp pode restringir ou banir números que abrem muitas conversas novas. Escreva só a quem espera a sua mensagem e comece com poucos.',
    'WhatsApp may restrict or ban numbers that open many new chats. Write only to people who expect you, and begin with few.',
    'WhatsApp puede restringir o bloquear números que abren muchos chats nuevos. Escriba solo a quien espera su mensaje y comience con pocos.',
  ],
})
