export interface Customer {
  name: string
  number: string
  email: string
  city: string
}

/** As WhatsApp gives them: nicknames, emoji, whole businesses. */
const names = `Renata Lopes
Paulo Siqueira
Ana Beatriz
João Pedro Almeida
Dona Cida
Thiago M.
Juliana Ferraz
Marcos Vinícius
Luciana 🌻
Rafael Tavares
Sônia Regina
Edu Marceneiro
Camila Rocha
Seu Antônio
Patrícia Gomes
Gabriel
Maria do Socorro Albuquerque Cavalcanti de Mendonça
Fernanda Lima
Construtora Horizonte – Compras
Beto
Larissa Nunes 💍
Otávio Prestes
Vera Lúcia
Diego Antunes
Simone Barreto
Escritório Arq. Lívia Moura
Cláudio H.
Priscila Dantas
Igor Nakamura
Tereza Cristina
Bruno & Carol 🏡
Wellington Santos
Aline Peixoto
Hotel Pousada Mar Azul
Roberta Fontes
Zé Carlos
Mônica Teles
Felipe Guerra
Yasmin Haddad
Nelson Ishikawa
Isabela Couto
André Luiz
Condomínio Jardim das Acácias (síndica Márcia)
Débora Pires
Vinícius Amaral
Rosângela
Caroline Weber
Leandro Batista
Tia Neide ❤️
Samuel Brito
Elaine Cardoso
Gustavo Reis
Cafeteria Grão & Prosa
Natália Vasconcelos
Murilo
Sandra Mello
Jorge Luís Peña
Sofia Marques
William Carter
Heloísa Bueno`.split('\n')

const places = [
  ['11', 'São Paulo'],
  ['11', 'Guarulhos'],
  ['19', 'Campinas'],
  ['13', 'Santos'],
  ['21', 'Rio de Janeiro'],
  ['31', 'Belo Horizonte'],
  ['41', 'Curitiba'],
  ['71', 'Salvador'],
] as const

/** Numbers of other lands and a landline, by name. */
const elsewhere: Record<string, [number: string, city: string]> = {
  'Jorge Luís Peña': ['5491155501847', 'Buenos Aires'],
  'Sofia Marques': ['351912555083', 'Lisboa'],
  'William Carter': ['14155550142', 'San Francisco'],
  'Hotel Pousada Mar Azul': ['551332555070', 'Santos'],
}

/** About sixty people; no number belongs to anybody outside this list. */
export const customers: Customer[] = names.map((name, place) => {
  const [area, home] = places[(place * 5) % places.length]!
  const [number, city] = elsewhere[name] ?? [
    `55${area}9${String(70_000_000 + place * 104_729).slice(0, 8)}`,
    home,
  ]
  const mailbox = name
    .normalize('NFD')
    .replace(/[^a-z ]/gi, '')
    .trim()
    .toLowerCase()
    .replaceAll(' ', '.')
    .slice(0, 30)
  return { name, number, city, email: place % 3 === 0 ? `${mailbox}@cliente.test` : '' }
})
