import type { ExportLanguage } from '@balcao/contract/tickets.ts'

const words = {
  ptBR: {
    name: 'pausas',
    head: ['Usuário', 'Motivo', 'Pausas', 'Tempo (s)', 'Mais longa (s)'],
    none: 'Sem motivo',
  },
  en: {
    name: 'pauses',
    head: ['User', 'Reason', 'Pauses', 'Time (s)', 'Longest (s)'],
    none: 'Without a reason',
  },
  es: {
    name: 'pausas',
    head: ['Usuario', 'Motivo', 'Pausas', 'Tiempo (s)', 'Más larga (s)'],
    none: 'Sin motivo',
  },
}

export const pauseWords = (language: ExportLanguage) => words[language]
