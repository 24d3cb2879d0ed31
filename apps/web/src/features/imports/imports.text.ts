import { texts } from '../../platform/text.ts'

export const useImportText = texts({
  heading: ['Mensagens antigas', 'Old messages', 'Mensajes antiguos'],
  hint: [
    'Trazidas do celular ao ler o QR Code. Deixe vazio para não importar.',
    'Brought from the phone when the QR code is scanned. Leave empty not to import.',
    'Se traen del celular al leer el código QR. Déjelo vacío para no importar.',
  ],
  from: ['Importar desde', 'Import since', 'Importar desde'],
  until: ['Importar até', 'Import until', 'Importar hasta'],
  groups: ['Importar também grupos', 'Import groups too', 'Importar también grupos'],
  closeAfter: [
    'Fechar os tickets depois da importação',
    'Close the tickets after the import',
    'Cerrar los tickets después de la importación',
  ],
  fromLate: ['A data não pode ser depois de agora', 'Not after now', 'No puede ser después de ahora'],
  untilEarly: [
    'Não pode ser antes do início da importação',
    'Not before the start of the import',
    'No puede ser antes del inicio de la importación',
  ],
  preparing: ['Preparando importação…', 'Preparing the import…', 'Preparando la importación…'],
  progress: [
    '{done} de {all} mensagens ({percent}%)',
    '{done} of {all} messages ({percent}%)',
    '{done} de {all} mensajes ({percent}%)',
  ],
  close: ['Fechar tickets importados', 'Close imported tickets', 'Cerrar tickets importados'],
})
