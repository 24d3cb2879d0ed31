import { texts } from '../../platform/text.ts'

/** Texts that any screen may need; those of the screen of mentions come with it. */
export const useMentionNoticeText = texts({
  unreadCount_one: ['{count} menção não lida', '{count} unread mention', '{count} mención sin leer'],
  unreadCount: ['{count} menções não lidas', '{count} unread mentions', '{count} menciones sin leer'],
  mentioned: [
    '{name} mencionou você em {contact}',
    '{name} mentioned you in {contact}',
    '{name} le mencionó en {contact}',
  ],
  all: ['Todas as menções', 'All mentions', 'Todas las menciones'],
  view: ['Ver', 'View', 'Ver'],
  team: ['Equipe', 'Team', 'Equipo'],
})
