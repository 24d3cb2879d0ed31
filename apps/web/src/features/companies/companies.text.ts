import { texts } from '../../platform/text.ts'

export const useCompanyText = texts({
  company: ['Empresa', 'Company', 'Empresa'],
  zone: ['Fuso horário', 'Time zone', 'Zona horaria'],
  zoneHint: [
    'Protocolos, saudações, filtros por data e os horários das telas de toda a empresa seguem este relógio.',
    'Protocols, greetings, filters by date and the times on everybody’s screens follow this clock.',
    'Los protocolos, saludos, filtros por fecha y las horas de las pantallas de toda la empresa siguen este reloj.',
  ],
  zoneDefault: [
    'Padrão da instalação ({zone})',
    'Installation default ({zone})',
    'De la instalación ({zone})',
  ],
  zoneNone: ['Nenhum fuso com este nome', 'No time zone of this name', 'Ninguna zona con este nombre'],
  now: ['Agora são {time} ({day}).', 'It is now {time} ({day}).', 'Ahora son las {time} ({day}).'],
  saved: ['Fuso horário salvo', 'Time zone saved', 'Zona horaria guardada'],
  platform: ['Plataforma', 'Platform', 'Plataforma'],
  signUp: ['Cadastro aberto', 'Sign-up open', 'Registro abierto'],
  signUpHint: [
    'Quem alcança este endereço pode cadastrar uma empresa. Fechado, só o operador da plataforma cria empresas.',
    'Whoever reaches this address can register a company. Closed, only the platform’s operator adds companies.',
    'Quien llega a esta dirección puede registrar una empresa. Cerrado, solo el operador de la plataforma crea empresas.',
  ],
})
