import { texts } from '../../platform/text.ts'

export const useResolveManyText = texts({
  title: ['Resolver vários atendimentos', 'Resolve many tickets', 'Resolver varias atenciones'],
  open: ['Resolver vários', 'Resolve many', 'Resolver varias'],
  counting: ['Contando…', 'Counting…', 'Contando…'],
  none: ['Nenhum atendimento aberto', 'No open ticket', 'Ninguna atención abierta'],
  some_one: [
    '{count} atendimento será resolvido. O contato não recebe a despedida.',
    '{count} ticket will be resolved. The contact is not sent the farewell.',
    '{count} atención será resuelta. El contacto no recibe la despedida.',
  ],
  some: [
    '{count} atendimentos serão resolvidos. Os contatos não recebem a despedida.',
    '{count} tickets will be resolved. The contacts are not sent the farewell.',
    '{count} atenciones serán resueltas. Los contactos no reciben la despedida.',
  ],
  many: [
    'Mais de {count} atendimentos serão resolvidos. Os contatos não recebem a despedida.',
    'More than {count} tickets will be resolved. The contacts are not sent the farewell.',
    'Más de {count} atenciones serán resueltas. Los contactos no reciben la despedida.',
  ],
  keyword: ['Para confirmar, escreva {word}', 'To confirm, write {word}', 'Para confirmar, escriba {word}'],
  resolving: ['{count} resolvidos…', '{count} resolved…', '{count} resueltas…'],
  done_one: ['{count} atendimento resolvido', '{count} ticket resolved', '{count} atención resuelta'],
  done: ['{count} atendimentos resolvidos', '{count} tickets resolved', '{count} atenciones resueltas'],
  resolve: ['Resolver', 'Resolve', 'Resolver'],
})
