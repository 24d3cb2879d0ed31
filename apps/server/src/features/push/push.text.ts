import { cut } from '@balcao/contract/cut.rules.ts'

import type { WordingLanguage } from '../../platform/http/wording.ts'

type Translated = Record<WordingLanguage, string>

const texts = {
  message: { pt: 'Nova mensagem', en: 'New message', es: 'Nuevo mensaje' },
  waits: { pt: 'Aguarda atendimento', en: 'Waits to be attended', es: 'Espera atención' },
  yours: {
    pt: 'Este atendimento agora é seu',
    en: 'This ticket is yours now',
    es: 'Esta atención ahora es suya',
  },
  mention: { pt: 'Mencionaram você', en: 'You were mentioned', es: 'Le mencionaron' },
  file: { pt: 'Arquivo', en: 'File', es: 'Archivo' },
  testTitle: { pt: 'Notificações ativas', en: 'Notifications are on', es: 'Notificaciones activas' },
  testBody: {
    pt: 'Este aparelho recebe as notificações.',
    en: 'This device receives the notifications.',
    es: 'Este dispositivo recibe las notificaciones.',
  },
} satisfies Record<string, Translated>

export const pushText = (language: WordingLanguage, name: keyof typeof texts): string => texts[name][language]

/** Maximum of characters that are shown; what is encrypted is at most 3 kB, also of characters of four bytes. */
const MOST = 300

export const shortened = (text: string): string => (text.length > MOST ? `${cut(text, MOST)}…` : text)
