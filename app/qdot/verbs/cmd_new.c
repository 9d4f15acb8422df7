// qdot new NAME: writes NAME.qdot, a small commented model to start from; a pendulum where NAME
// says so.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "commands.h"
#include "file.h"

static const char starting_model[] =
    "# A pendulum on a spring-loaded cart. Change it line by line; 'qdot check' shows how Qdot "
    "reads it.\n"
    "model \"%.*s\"\n"
    "\n"
    "# Parameters have a value and a unit.\n"
    "param g = 9.81 [m/s^2]\n"
    "param M = 2 [kg] \"cart\", m = 1 [kg] \"bob\", L = 0.8 [m], k = 40 [N/m], c = 0.5 [N*s/m]\n"
    "\n"
    "# Coordinates have an initial value; velocities start at 0 unless given (coord x' = 1 "
    "[m/s]).\n"
    "coord x = 0 [m], theta = 40 [deg]\n"
    "\n"
    "# Geometry: where the bob is.\n"
    "let r = (x + L*sin(theta), -L*cos(theta))\n"
    "\n"
    "# Energies; a prime is a time derivative.\n"
    "kinetic cart = 1/2*M*x'^2\n"
    "kinetic bob = 1/2*m*dot(r', r')\n"
    "potential bob = m*g*r.y\n"
    "potential spring = 1/2*k*x^2\n"
    "dissipation rail = 1/2*c*x'^2\n"
    "\n"
    "simulate to 10 [s] every 10 [ms]\n"
    "plot x, theta\n"
    "plot energy\n"
    "draw ground (-1, 0) (1, 0)\n"
    "draw line (x, 0) (r.x, r.y)\n"
    "draw disc (r.x, r.y)\n";

static const char pendulum[] =
    "# A damped pendulum. Change it line by line; 'qdot check' shows how Qdot reads it.\n"
    "model \"%.*s\"\n"
    "\n"
    "# Parameters have a value and a unit.\n"
    "param g = 9.81 [m/s^2], m = 2 [kg], L = 0.5 [m], c = 0.02 [N*m*s]\n"
    "\n"
    "# The coordinate, and where it starts; its velocity starts at 0 unless given (coord theta' = "
    "1 "
    "[rad/s]).\n"
    "coord theta = 60 [deg]\n"
    "\n"
    "# Where the bob is.\n"
    "let r = (L*sin(theta), -L*cos(theta))\n"
    "\n"
    "# Energies, and the damping of the joint; a prime is a time derivative.\n"
    "kinetic = 1/2*m*dot(r', r')\n"
    "potential = m*g*r.y\n"
    "dissipation = 1/2*c*theta'^2\n"
    "\n"
    "simulate to 10 [s] every 10 [ms]\n"
    "plot theta\n"
    "plot energy\n"
    "draw ground (0, 0)\n"
    "draw line (0, 0) (r.x, r.y)\n"
    "draw disc (r.x, r.y)\n";

// A model is what its name says, where there is one of that name.
static const char *model_for(const char *title, size_t length) {
  bool is_pendulum = length == strlen("pendulum") && strncasecmp(title, "pendulum", length) == 0;
  return is_pendulum ? pendulum : starting_model;
}

int cmd_new(const Arguments *arguments) {
  if (arguments->operand_count != 1) {
    fprintf(stderr, "qdot new: expected a name, for example: qdot new crane\n");
    return EXIT_USAGE;
  }
  const char *name = arguments->operand[0];
  size_t length = strlen(name);
  if (length > 5 && strcmp(name + length - 5, ".qdot") == 0) length -= 5;
  const char *slash = memrchr(name, '/', length);
  const char *title = slash ? slash + 1 : name;
  if (length > 200 || title == name + length || strpbrk(title, "\"\n")) {
    fprintf(stderr, "qdot new: '%s' is not a valid model name\n", name);
    return EXIT_USAGE;
  }
  char path[256], text[sizeof starting_model + 256];
  snprintf(path, sizeof path, "%.*s.qdot", (int)length, name);
  int title_length = (int)(name + length - title);
  snprintf(text, sizeof text, model_for(title, (size_t)title_length), title_length, title);
  if (!file_create("new", path, text)) return EXIT_WRONG;
  if (!option_given(arguments, OPTION_QUIET)) printf("%s\n  next: qdot run %s\n", path, path);
  return EXIT_DONE;
}
