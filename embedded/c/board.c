/* The program on a Cortex-M3: start-up, semihosting, and stack painting to measure the stack depth. */
#include "program.h"

#include <stdint.h>

/* Symbols of the linker script. */
extern uint32_t stack_top[], data_start[], data_end[], data_in_flash[], bss_start[], bss_end[];

enum { SYS_OPEN = 1, SYS_WRITE = 5, SYS_EXIT = 0x18, STOPPED = 0x20026, PARTS = 9, UNPAINTED = 128 };

static const uint32_t PAINT = 0xa5a5a5a5;

static uint32_t semihosting(uint32_t operation, uintptr_t argument) {
    register uint32_t r0 __asm__("r0") = operation;
    register uintptr_t r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt #0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

/* The debugger's standard output. */
static uint32_t open_output(void) {
    static const char NAME[] = ":tt";
    enum { TO_WRITE = 4 };
    const uintptr_t arguments[] = {(uintptr_t)NAME, TO_WRITE, sizeof NAME - 1};
    return semihosting(SYS_OPEN, (uintptr_t)arguments);
}

void put(const char *text, size_t length) {
    static uint32_t output;
    if (output == 0)
        output = open_output();
    const uintptr_t arguments[] = {output, (uintptr_t)text, length};
    semihosting(SYS_WRITE, (uintptr_t)arguments);
}

static struct {
    const char *part;
    uint32_t bytes;
} depths[PARTS];

static uint32_t *measured_from;

static uint32_t *stack_pointer(void) {
    uint32_t *pointer;
    __asm__ volatile("mov %0, sp" : "=r"(pointer));
    return pointer;
}

void measure_begin(void) {
    measured_from = stack_pointer();
    /* The memory between static data and the stack pointer is unused. */
    for (volatile uint32_t *word = bss_end; word < measured_from - UNPAINTED / 4; word++)
        *word = PAINT;
}

void measure_end(const char *part) {
    const volatile uint32_t *word = bss_end;
    while (word < measured_from - UNPAINTED / 4 && *word == PAINT)
        word++;
    uint32_t bytes = (uint32_t)((uintptr_t)measured_from - (uintptr_t)word);
    for (int i = 0; i < PARTS; i++)
        if (depths[i].part == NULL || depths[i].part == part) {
            depths[i].part = part;
            if (depths[i].bytes < bytes)
                depths[i].bytes = bytes;
            return;
        }
}

static void print(const char *text) {
    size_t length = 0;
    while (text[length] != '\0')
        length++;
    put(text, length);
}

static void print_depths(void) {
    for (int i = 0; i < PARTS && depths[i].part != NULL; i++) {
        char line[] = ": 00000000\n";
        for (int digit = 0; digit < 8; digit++)
            line[2 + digit] = "0123456789abcdef"[(depths[i].bytes >> (28 - 4 * digit)) & 15];
        print("stack of ");
        print(depths[i].part);
        print(line);
    }
}

void reset(void);

void reset(void) {
    const uint32_t *from = data_in_flash;
    for (volatile uint32_t *word = data_start; word < data_end; word++)
        *word = *from++;
    for (volatile uint32_t *word = bss_start; word < bss_end; word++)
        *word = 0;
    run();
    print_depths();
    semihosting(SYS_EXIT, STOPPED);
    for (;;) {
    }
}

static void fault(void) {
    print("fault\n");
    for (;;) {
        semihosting(SYS_EXIT, 0);
    }
}

/* The vector table: initial stack pointer, reset, and the exceptions. The program has no interrupts. */
__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack;
    void (*handlers[15])(void);
} vectors = {stack_top, {reset, fault, fault, fault, fault, fault}};
